import { z } from 'zod'
import { hasPassword, nonEmptyText, integerInRange } from './setting-schemas.ts'

const modelName = z
  .string()
  .regex(
    /^(?:(?:anthropic|openai|google|openai-compatible)\/[\x21-\x7e]+|builtin\/rules-1)$/,
    'must be provider/model with the provider anthropic, openai, google, openai-compatible or builtin',
  )

/** The part of the settings that is about tasks and language models. */
export const TASK_SETTINGS = {
  aiModel: {
    env: 'HANSARD_AI_MODEL',
    schema: modelName,
    about:
      'Language model for tasks as `provider/model`: anthropic, openai, google or openai-compatible; without it only prompts with `builtin` run',
  },
  aiBaseUrl: {
    env: 'HANSARD_AI_BASE_URL',
    schema: z
      .url({ protocol: /^https?$/, error: 'must be an http or https address', abort: true })
      .refine((url) => !hasPassword(url), 'must not hold a password; use HANSARD_AI_API_KEY'),
    about:
      'Address of an OpenAI-compatible server, such as http://localhost:11434/v1, or another address of the provider',
  },
  aiApiKey: {
    env: 'HANSARD_AI_API_KEY',
    schema: nonEmptyText,
    isSecret: true,
    about: 'Key for the provider of the model, where its usual variable is not set',
  },
  aiCoachModel: {
    env: 'HANSARD_AI_COACH_MODEL',
    schema: modelName,
    about:
      'Language model that listens to meetings beside the rules of the coach, such as a cheap one; not set: none does',
  },
  anthropicApiKey: {
    env: 'ANTHROPIC_API_KEY',
    schema: nonEmptyText,
    isSecret: true,
    about: 'Key for Anthropic',
  },
  openaiApiKey: {
    env: 'OPENAI_API_KEY',
    schema: nonEmptyText,
    isSecret: true,
    about: 'Key for OpenAI',
  },
  googleApiKey: {
    env: 'GOOGLE_GENERATIVE_AI_API_KEY',
    schema: nonEmptyText,
    isSecret: true,
    about: 'Key for Google',
  },
  aiPricesFile: {
    env: 'HANSARD_AI_PRICES_FILE',
    schema: nonEmptyText,
    about: 'File with prices of models that go over those that come with the service',
  },
  aiMcpFile: {
    env: 'HANSARD_AI_MCP_FILE',
    schema: nonEmptyText,
    about: 'File with the MCP servers whose tools prompts may name; not set: none',
  },
  aiDailyTokens: {
    env: 'HANSARD_AI_DAILY_TOKENS',
    schema: integerInRange(0, 999_999_999_999),
    about: 'Tokens all tasks together may use in a day (UTC); not set: no limit',
  },
  aiMonthlyUsd: {
    env: 'HANSARD_AI_MONTHLY_USD',
    schema: integerInRange(0, 1_000_000_000),
    about: 'US dollars all tasks together may cost in a month (UTC); not set: no limit',
  },
  tasksConcurrency: {
    env: 'HANSARD_TASKS_CONCURRENCY',
    schema: integerInRange(1, 100),
    default: '4',
    about: 'Executions of tasks this node carries out at once; others wait',
  },
  tasksCatchUp: {
    env: 'HANSARD_TASKS_CATCH_UP',
    schema: z.enum(['once', 'skip']),
    default: 'once',
    about: 'Whether a task that missed its times runs once for all of them, unless its prompt says',
  },
  tasksSpreadSeconds: {
    env: 'HANSARD_TASKS_SPREAD_SECONDS',
    schema: integerInRange(0, 3_600),
    default: '0',
    about: 'Tasks begin up to so many seconds after their time, each always by the same',
  },
  tasksMinIntervalMinutes: {
    env: 'HANSARD_TASKS_MIN_INTERVAL_MINUTES',
    schema: integerInRange(1, 10_080),
    default: '1',
    about: 'Schedules that run more often are refused',
  },
  executionDays: {
    env: 'HANSARD_EXECUTION_DAYS',
    schema: integerInRange(1, 36_500),
    default: '365',
    about:
      'Days for which executions of tasks are kept; those since the last completed one are kept longer',
  },
  executionsPerTask: {
    env: 'HANSARD_EXECUTIONS_PER_TASK',
    schema: integerInRange(10, 1_000_000),
    default: '1000',
    about: 'Executions that are kept of each task, the newest',
  },
} as const
