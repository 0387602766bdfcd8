import { useId } from 'react';
import styles from './photo.module.css';

type Props = { label: string; value: number; most: number; step: number; onChange: (value: number) => void };

/** A slider around nought, with its value beside it. */
export const Slide = ({ label, value, most, step, onChange }: Props) => {
  const id = useId();
  return (
    <div className={styles.slide}>
      <label htmlFor={id}>{label}</label>
      <output htmlFor={id}>{value}</output>
      <input
        id={id}
        type="range"
        min={-most}
        max={most}
        step={step}
        value={value}
        onChange={(event) => onChange(Number(event.currentTarget.value))}
      />
    </div>
  );
};
