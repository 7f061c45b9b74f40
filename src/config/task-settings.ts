import { z } from 'zod'
import {
  commaSeparatedList,
  hasUrlCredentials,
  nonEmptyText,
  integerInRange,
} from './setting-schemas.ts'

const modelName = z
  .string()
  .regex(
    /^(?:(?:anthropic|openai|google|openai-compatible)\/[\x21-\x7e]+|builtin\/rules-1)$/,
    'must be provider/model with the provider anthropic, openai, google, openai-compatible or builtin',
  )

/** A model name, or `off`, which becomes null. */
const modelNameOrOff = z
  .union([z.literal('off'), modelName])
  .transform((value) => (value === 'off' ? null : value))

const modelNameList = commaSeparatedList.pipe(z.array(modelName))

export const TASK_SETTINGS = {
  aiModel: {
    env: 'HANSARD_AI_MODEL',
    schema: modelName,
    about:
      'Language model for tasks as `provider/model`, with the provider anthropic, openai, google or openai-compatible; if not set, only prompts with `builtin` run',
  },
  aiModels: {
    env: 'HANSARD_AI_MODELS',
    schema: modelNameList,
    about:
      'Models that prompts may choose besides `HANSARD_AI_MODEL`, as `provider/model` or `provider/*`, separated by commas; if not set, every model of a provider with its own key',
  },
  aiBaseUrl: {
    env: 'HANSARD_AI_BASE_URL',
    schema: z
      .url({ protocol: /^https?$/, error: 'must be an http or https address', abort: true })
      .refine(
        (url) => !hasUrlCredentials(url),
        'must not contain a password; use HANSARD_AI_API_KEY',
      ),
    about:
      'Address of an OpenAI-compatible server, such as http://localhost:11434/v1, or a different address for the provider of `HANSARD_AI_MODEL`',
  },
  aiApiKey: {
    env: 'HANSARD_AI_API_KEY',
    schema: nonEmptyText,
    isSecret: true,
    about:
      'API key for the server at `HANSARD_AI_BASE_URL` or, if its own variable is not set, for the provider of `HANSARD_AI_MODEL`; no other provider gets it',
  },
  aiCoachModel: {
    env: 'HANSARD_AI_COACH_MODEL',
    schema: modelName,
    about:
      'Language model for live coaching in meetings, preferably a cheap one; if not set, the coach uses only its rules',
  },
  aiRecapModel: {
    env: 'HANSARD_AI_RECAP_MODEL',
    schema: modelNameOrOff,
    about:
      'Language model for the recaps of meetings; `off`: recaps are made by rules only; if not set, `HANSARD_AI_MODEL` is used',
  },
  aiAskModel: {
    env: 'HANSARD_AI_ASK_MODEL',
    schema: modelNameOrOff,
    about:
      'Language model that answers questions about meetings and documents; `off`: they are answered with passages only; if not set, `HANSARD_AI_MODEL` is used',
  },
  anthropicApiKey: {
    env: 'ANTHROPIC_API_KEY',
    schema: nonEmptyText,
    isSecret: true,
    about: 'API key for Anthropic',
  },
  openaiApiKey: {
    env: 'OPENAI_API_KEY',
    schema: nonEmptyText,
    isSecret: true,
    about: 'API key for OpenAI',
  },
  googleApiKey: {
    env: 'GOOGLE_GENERATIVE_AI_API_KEY',
    schema: nonEmptyText,
    isSecret: true,
    about: 'API key for Google',
  },
  aiPricesFile: {
    env: 'HANSARD_AI_PRICES_FILE',
    schema: nonEmptyText,
    about: 'File with model prices that override the built-in ones',
  },
  aiMcpFile: {
    env: 'HANSARD_AI_MCP_FILE',
    schema: nonEmptyText,
    about: 'File that lists MCP servers whose tools prompts may use',
  },
  aiDailyTokens: {
    env: 'HANSARD_AI_DAILY_TOKENS',
    schema: integerInRange(0, 999_999_999_999),
    about: 'Tokens that all tasks together may use per day (UTC); if not set, there is no limit',
  },
  aiMonthlyUsd: {
    env: 'HANSARD_AI_MONTHLY_USD',
    schema: integerInRange(0, 1_000_000_000),
    about:
      'US dollars that all tasks together may cost per month (UTC); if not set, there is no limit',
  },
  tasksConcurrency: {
    env: 'HANSARD_TASKS_CONCURRENCY',
    schema: integerInRange(1, 100),
    default: '4',
    about: 'Maximum number of task executions that run concurrently on this node; others wait',
  },
  tasksCatchUp: {
    env: 'HANSARD_TASKS_CATCH_UP',
    schema: z.enum(['once', 'skip']),
    default: 'once',
    about:
      '`once`: a task that missed scheduled times runs once to catch up; `skip`: it does not; a prompt can override this',
  },
  tasksSpreadSeconds: {
    env: 'HANSARD_TASKS_SPREAD_SECONDS',
    schema: integerInRange(0, 3_600),
    default: '0',
    about:
      'Maximum delay in seconds to spread tasks that are due at the same time; each task always has the same delay',
  },
  tasksMinIntervalMinutes: {
    env: 'HANSARD_TASKS_MIN_INTERVAL_MINUTES',
    schema: integerInRange(1, 10_080),
    default: '1',
    about: 'Shortest allowed interval of a schedule in minutes',
  },
  executionDays: {
    env: 'HANSARD_EXECUTION_DAYS',
    schema: integerInRange(1, 36_500),
    default: '365',
    about: 'Days to keep task executions; those since the last completed one are kept longer',
  },
  executionsPerTask: {
    env: 'HANSARD_EXECUTIONS_PER_TASK',
    schema: integerInRange(10, 1_000_000),
    default: '1000',
    about: 'Number of newest executions to keep for each task',
  },
} as const
