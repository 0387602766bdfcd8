import styles from './review.module.css';

/** Room for the fields while the listing is being read; drawn only when that takes a moment. */
export const FieldsComing = () => (
  <div className={styles.coming} aria-hidden>
    <span />
    <span />
    <span />
    <span />
  </div>
);
