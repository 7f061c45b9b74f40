import { z } from 'zod'
import { BOT_ACCOUNT_NAME_PATTERN } from '../../bots/accounts/account-name.ts'
import { explainBadName } from '../../lib/text/bad-names.ts'
import { MAX_STORAGE_STATE_CHARS } from '../../bots/accounts/storage-state.ts'
import { Count, Instant, Ordinal, RequestWarnings } from './common.ts'
import { ACCOUNT_PLATFORMS, PLATFORM_NAMES } from './values.ts'

const BotAccount = z
  .object({
    name: z
      .string()
      .meta({ examples: ['notes-bot'] })
      .describe('The value of `account` when a meeting is started'),
    platform: z.enum(PLATFORM_NAMES),
    limit: Ordinal.describe('How many bots may use it at the same time, over all nodes'),
    inUse: Count.describe('How many bots use it now'),
    addedAt: Instant,
    lastUsedAt: Instant.nullable(),
    refreshedAt: Instant.nullable().describe('When a bot last saved renewed cookies'),
  })
  .meta({ id: 'BotAccount' })

export const BotAccountsResponse = z.object({ botAccounts: z.array(BotAccount) })

/** The bot accounts for admins, who can repair them: each with the result of checking that bots can use it. */
export const CheckedBotAccountsResponse = z.object({
  botAccounts: z.array(
    z.object({
      ...BotAccount.shape,
      ok: z.boolean(),
      detail: z.string().describe('Result of the check'),
    }),
  ),
})

const name = z
  .string()
  .trim()
  .regex(BOT_ACCOUNT_NAME_PATTERN, {
    error: ({ input }) => explainBadName('account', String(input)),
  })
export const AddBotAccountBody = z.object({
  name,
  platform: z.enum(ACCOUNT_PLATFORMS),
  limit: z.int().min(1).max(1_000).optional(),
  state: z
    .string()
    .min(1)
    .max(MAX_STORAGE_STATE_CHARS)
    .describe('A Playwright storage state, as text'),
})
export const AddedBotAccountResponse = z.object({
  isNew: z.boolean(),
  isSignedIn: z.boolean().describe('Whether its cookies look like those of a signed-in account'),
  warnings: RequestWarnings,
})
export const BotAccountParams = z.object({ name })

export type ApiBotAccounts = z.input<typeof BotAccountsResponse>
export type ApiCheckedBotAccount = z.input<typeof CheckedBotAccountsResponse>['botAccounts'][number]
export type ApiAddedBotAccount = z.input<typeof AddedBotAccountResponse>
