import * as z from 'zod';

const made = z.object({ userId: z.string(), agentKey: z.string() });

/**
 * Creates a person at a running practice service who is ready to publish on MKT_US, or a new key for an existing
 * person.
 */
export const createPracticePerson = async (practiceUrl: string, email: string) => {
  const response = await fetch(`${practiceUrl}/practice/people`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, plan: 'Starter', connected: true, site: 'MKT_US' }),
  });
  return { ...made.parse(await response.json()), email };
};
