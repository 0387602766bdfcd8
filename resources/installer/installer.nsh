; "Add to Listing Companion" on folders, for the person who installs; gone with the app.
!macro customInstall
  WriteRegStr SHCTX "Software\Classes\Directory\shell\ListingCompanion" "" "Add to Listing Companion"
  WriteRegStr SHCTX "Software\Classes\Directory\shell\ListingCompanion" "Icon" "$INSTDIR\${APP_EXECUTABLE_FILENAME}"
  WriteRegStr SHCTX "Software\Classes\Directory\shell\ListingCompanion\command" "" '"$INSTDIR\${APP_EXECUTABLE_FILENAME}" -- "%1"'
!macroend

!macro customUnInstall
  DeleteRegKey SHCTX "Software\Classes\Directory\shell\ListingCompanion"
  ; The request is the person's yes: without it the command removes nothing. Silent runs and updates ask nothing and keep everything.
  ; The data are the person's, also of a copy that was installed for everyone.
  SetShellVarContext current
  ${IfNot} ${Silent}
  ${AndIfNot} ${isUpdated}
  ${AndIf} ${FileExists} "$LOCALAPPDATA\Listing Companion\*.*"
    MessageBox MB_YESNO|MB_ICONQUESTION|MB_DEFBUTTON2 "Also forget everything that Listing Companion keeps on this computer: the key, items, history and backups? Your own photos and your listings at the service stay. This cannot be undone." IDNO keepData
    FileOpen $0 "$LOCALAPPDATA\Listing Companion\forget.json" w
    FileWrite $0 "{}"
    FileClose $0
    ExecWait '"$INSTDIR\${APP_EXECUTABLE_FILENAME}" forget'
    keepData:
  ${EndIf}
  ${If} $installMode == "all"
    SetShellVarContext all
  ${EndIf}
!macroend
