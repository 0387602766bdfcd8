import { DropHere } from './DropHere.tsx';
import styles from './items.module.css';

/** The empty list: what will be here, and the first step. */
export const FirstItems = () => (
  <div className={styles.firstItems}>
    <h1>Your items will be here</h1>
    <p>
      One folder is one item. Its photos are made ready on this computer, then a listing is written from them. You look
      it over before anything is published.
    </p>
    <DropHere large />
  </div>
);
