import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import lines from './lines.module.css';

/** One sentence about something that needs a look, said when it appears. */
export const ProblemLine = ({ children, id }: { children: ReactNode; id?: string }) => (
  <p className={lines.problem} role="status" id={id}>
    <IconAlertTriangle size={16} stroke={1.75} aria-hidden />
    <span>{children}</span>
  </p>
);
