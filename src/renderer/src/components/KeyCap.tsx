import styles from './keyCap.module.css';

/** Shows the key of a button. Screen readers hear it from `aria-keyshortcuts` of the button. */
export const KeyCap = ({ children }: { children: string }) => (
  <kbd className={styles.cap} aria-hidden>
    {children}
  </kbd>
);
