/** A revision of MCP, as the conformance suite names it. */
export type Revision = '2025-11-25' | '2026-07-28';

type Expected = {
  /** Why the companion does not pass the checks. */
  reason: string;
  /** The checks, as `scenario:check`, that fail in both revisions or only in one. */
  both?: string[];
  only?: Partial<Record<Revision, string[]>>;
};

/** Names the one check of a scenario that has the same name as the scenario. */
const named = (...scenarios: string[]): string[] => scenarios.map((name) => `${name}:${name}`);
const checksOf = (scenario: string, ...checks: string[]): string[] => checks.map((check) => `${scenario}:${check}`);

/**
 * The checks of the conformance suite that the bridge does not pass, by reason. The test fails for a failure that is not
 * listed here, and for a listed check that no longer fails.
 */
export const expectedFailures: Expected[] = [
  {
    reason: 'The suite calls a tool of its example server, which the companion does not have.',
    both: [
      ...named('tools-call-simple-text', 'tools-call-image', 'tools-call-audio', 'tools-call-embedded-resource'),
      ...named('tools-call-mixed-content', 'tools-call-error', 'tools-call-with-progress'),
      'json-schema-2020-12:json-schema-2020-12-tool-found',
    ],
    only: {
      '2025-11-25': [
        ...named('tools-call-sampling', 'tools-call-elicitation'),
        'elicitation-sep1034-defaults:elicitation-sep1034-general',
        'elicitation-sep1330-enums:elicitation-sep1330-general',
      ],
      '2026-07-28': [
        ...checksOf(
          'server-stateless',
          'sep-2575-server-rejects-undeclared-capability',
          'sep-2575-missing-capability-http-400',
          'sep-2575-http-server-no-independent-requests-on-stream',
          'sep-2575-server-no-log-without-loglevel',
        ),
        ...checksOf(
          'http-custom-header-server-validation',
          'sep-2243-server-no-xmcp-tool',
          'sep-2243-server-decode-base64',
          'sep-2243-server-validate-param-match',
          'sep-2243-server-reject-invalid-param-chars',
          'sep-2243-server-reject-param-mismatch',
        ),
        'input-required-result-basic-elicitation:sep-2322-elicitation-incomplete',
        'input-required-result-basic-list-roots:sep-2322-list-roots-incomplete',
        'input-required-result-basic-sampling:sep-2322-sampling-incomplete',
        'input-required-result-capability-check:sep-2322-respect-client-capabilities',
        'input-required-result-ignore-extra-params:sep-2322-ignore-unexpected-params',
        'input-required-result-missing-input-response:sep-2322-missing-response-rerequests',
        'input-required-result-multi-round:sep-2322-multi-round-r1',
        'input-required-result-multiple-input-requests:sep-2322-multiple-inputs-incomplete',
        'input-required-result-request-state:sep-2322-request-state-incomplete',
        'input-required-result-result-type:sep-2322-result-type-included',
        'input-required-result-tampered-state:sep-2322-reject-tampered-state',
      ],
    },
  },
  {
    reason: 'The suite reads a resource of its example server, which the companion does not have.',
    both: named('resources-read-text', 'resources-read-binary', 'resources-templates-read'),
  },
  {
    reason:
      'Requests with any Origin header are refused, also from pages of this machine: no web page may call the bridge.',
    both: ['dns-rebinding-protection:localhost-host-valid-accepted'],
  },
  {
    reason: 'The companion offers no prompts and no completion: its tools and its guide are enough.',
    both: [
      ...named('completion-complete', 'prompts-list', 'prompts-get-simple', 'prompts-get-with-args'),
      ...named('prompts-get-embedded-resource', 'prompts-get-with-image'),
    ],
    only: {
      '2026-07-28': [
        'caching:sep-2549-prompts-list-caching-hints',
        'input-required-result-non-tool-request:sep-2322-non-tool-incomplete',
      ],
    },
  },
  {
    reason: 'The companion sends no log messages to clients, and its resources do not change while it runs.',
    only: {
      '2025-11-25': named(
        'logging-set-level',
        'tools-call-with-logging',
        'resources-subscribe',
        'resources-unsubscribe',
      ),
    },
  },
  {
    reason: 'Streams cannot be resumed: a call that a client repeats returns the undelivered result of the first call.',
    only: {
      '2025-11-25': checksOf('server-sse-polling', 'server-sse-priming-event', 'server-sse-retry-field'),
    },
  },
  {
    reason: 'The extension "tasks" is not offered, because no client declares it yet.',
    only: {
      '2026-07-28': [
        ...checksOf(
          'tasks-capability-negotiation',
          'tasks-extension-advertised',
          'sep-2663-tasks-methods-non-declaring',
          'sep-2663-server-rejects-undeclared-client',
          'tasks-per-request-meta-opt-in',
        ),
        ...checksOf(
          'tasks-dispatch-and-envelope',
          'tasks-server-directed-creation-no-hint',
          'sep-2663-legacy-task-param-ignored',
          'tasks-immediate-result-shortcut',
          'tasks-result-type-complete-on-non-task-responses',
          'sep-2663-durable-create-strong-consistency',
          'sep-2663-tasks-get-invalid-task-id-32602',
        ),
        ...checksOf(
          'tasks-lifecycle',
          'tasks-sync-tool-call',
          'sep-2663-result-type-task-on-create',
          'sep-2663-tasks-get-status-working',
          'sep-2663-tasks-get-status-completed',
          'sep-2663-tool-error-uses-completed-status',
          'sep-2663-tasks-get-status-failed',
          'sep-2663-cancel-ack-empty-result',
          'tasks-cancel-terminal-idempotent-ack',
        ),
        'tasks-mrtr-composition:sep-2663-mrtr-synchronous-before-task-creation',
        ...checksOf(
          'tasks-mrtr-input',
          'sep-2663-tasks-get-status-input-required',
          'tasks-mrtr-tasks-update-resumes',
          'tasks-mrtr-partial-fulfillment',
        ),
        ...checksOf(
          'tasks-request-headers',
          'tasks-headers-tolerate-mcp-method-on-tools-call',
          'sep-2663-routing-headers-accepted-on-tasks-get',
          'sep-2663-server-rejects-mismatched-mcp-name-on-tasks-get',
        ),
        'tasks-request-state-removal:tasks-request-state-removal-setup',
        'tasks-required-task-error:sep-2663-server-returns-missing-capability-when-required',
        ...checksOf(
          'tasks-wire-fields',
          'tasks-wire-field-renames',
          'tasks-no-early-ttl-expiry',
          'tasks-no-related-task-meta-on-inlined-result',
        ),
      ],
    },
  },
];
