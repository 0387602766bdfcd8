; "Add to Listing Companion" on folders, for the person who installs; gone with the app.
!macro customInstall
  WriteRegStr SHCTX "Software\Classes\Directory\shell\ListingCompanion" "" "Add to Listing Companion"
  WriteRegStr SHCTX "Software\Classes\Directory\shell\ListingCompanion" "Icon" "$INSTDIR\${APP_EXECUTABLE_FILENAME}"
  WriteRegStr SHCTX "Software\Classes\Directory\shell\ListingCompanion\command" "" '"$INSTDIR\${APP_EXECUTABLE_FILENAME}" -- "%1"'
!macroend

!macro customUnInstall
  DeleteRegKey SHCTX "Software\Classes\Directory\shell\ListingCompanion"
!macroend
