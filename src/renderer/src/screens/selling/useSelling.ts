import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { read } from '../../api/call.ts';
import { accountsIn, budgetsIn, channelsIn, connectionsIn, defaultsIn, templatesIn } from './answers.ts';

/** All of it is read again when the core says that the setup changed; and when the screen is opened after a minute. */
const aMinute = { staleTime: 60_000 } as const;

export const useStatus = () =>
  useQuery({ queryKey: ['setup', 'status'], queryFn: () => read('readMarketStatus', {}), ...aMinute });

export const useAccounts = () =>
  useQuery({
    queryKey: ['setup', 'accounts'],
    queryFn: () => read('listMarketAccounts', {}),
    select: accountsIn,
    ...aMinute,
  });

export const useBudgets = () =>
  useQuery({
    queryKey: ['setup', 'budgets'],
    queryFn: () => read('readRateLimits', {}),
    select: budgetsIn,
    ...aMinute,
  });

export const useDefaults = () =>
  useQuery({
    queryKey: ['setup', 'defaults'],
    queryFn: () => read('readSellerDefaults', {}),
    select: defaultsIn,
    ...aMinute,
  });

export const useTemplates = () =>
  useQuery({
    queryKey: ['setup', 'templates'],
    queryFn: () => read('listTemplates', {}),
    select: templatesIn,
    ...aMinute,
  });

export const useChannels = () =>
  useQuery({ queryKey: ['setup', 'channels'], queryFn: () => read('listChannels', {}), select: channelsIn });

export const useConnections = () =>
  useQuery({
    queryKey: ['setup', 'connections'],
    queryFn: () => read('listConnections', {}),
    select: connectionsIn,
    ...aMinute,
  });

/** Calls when the person comes back to the window; nothing is asked in between. */
export const useReturn = (act: (() => void) | null): void => {
  useEffect(() => {
    if (!act) return;
    window.addEventListener('focus', act);
    return () => window.removeEventListener('focus', act);
  }, [act]);
};
