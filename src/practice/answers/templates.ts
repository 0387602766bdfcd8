import { atomically } from '../database.ts';
import { siteOf } from '../market/sites.ts';
import { parseOpen } from '../refusal.ts';
import type { Person } from '../world/people.ts';
import { policiesOf } from '../world/policies.ts';
import {
  updateTemplate,
  requireOwnTemplate,
  deleteTemplate,
  saveTemplate,
  toApiTemplate,
  templateFacts,
  templatesOf,
  type TemplateFacts,
} from '../world/templates.ts';
import type { World } from '../world/world.ts';
import type { Answers } from './answer.ts';

type Problem = { field: string; message: string };

const policyFields = ['fulfillmentPolicyId', 'paymentPolicyId', 'returnPolicyId'] as const;

/** What is wrong with a template although its shape is right. */
const problemsOf = (world: World, person: Person, facts: TemplateFacts): Problem[] => {
  const site = facts.marketplaceId;
  const policies = policiesOf(world, person.userId);
  const siteProblem =
    site !== undefined && !siteOf(site)
      ? [{ field: 'marketplaceId', message: `${site} is not one of the supported sites.` }]
      : [];
  const policyProblems = policyFields.flatMap((field) => {
    const asked = facts[field];
    if (asked === undefined) return [];
    const found = policies.find(({ policyId }) => policyId === asked);
    if (!found) return [{ field, message: `The marketplace account has no policy ${asked}.` }];
    if (site === undefined || found.marketplaceId === site) return [];
    return [{ field, message: `"${found.name}" is a policy of ${found.marketplaceId}, not of ${site}.` }];
  });
  return [...siteProblem, ...policyProblems];
};

/** Templates: what a person's listings begin with. */
export const templateAnswers: Answers<
  'listTemplates' | 'createTemplate' | 'validateTemplate' | 'updateTemplate' | 'deleteTemplate'
> = {
  listTemplates: ({ world, person }) => ({
    body: { templates: templatesOf(world, person).map(toApiTemplate), rememberedTemplateId: person.templateId },
  }),

  createTemplate: ({ world, person, input }) => ({
    body: toApiTemplate(saveTemplate(world, person, parseOpen(templateFacts, input.body))),
  }),

  validateTemplate: ({ world, person, input }) => {
    const parsed = templateFacts.safeParse(input.body);
    const problems = parsed.success
      ? problemsOf(world, person, parsed.data)
      : parsed.error.issues.map(({ path, message }) => ({ field: path.map(String).join('.') || 'body', message }));
    return { body: { valid: problems.length === 0, problems } };
  },

  updateTemplate: ({ world, person, input }) =>
    atomically(world.db, () => {
      const { facts, templateId } = requireOwnTemplate(world, person, input.params.templateId);
      // Null takes a field away.
      const kept = Object.entries({ ...facts, ...input.body }).filter(([, value]) => value !== null);
      const changed = parseOpen(templateFacts, Object.fromEntries(kept));
      return { body: toApiTemplate(updateTemplate(world, person, templateId, changed)) };
    }),

  deleteTemplate: ({ world, person, input }) =>
    atomically(world.db, () => {
      const { templateId } = requireOwnTemplate(world, person, input.params.templateId);
      deleteTemplate(world, person, templateId);
      return { body: { templateId, deleted: true } };
    }),
};
