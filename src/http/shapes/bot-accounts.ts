import { z } from 'zod'
import { ACCOUNT_NAME, NAME_RULE } from '../../bot-accounts/account-name.ts'
import { ACCOUNT_PLATFORMS } from '../../bot-accounts/sites.ts'
import { MAX_STATE_CHARS } from '../../bot-accounts/storage-state.ts'
import { PLATFORM_NAMES } from '../../platforms/platform.ts'
import { Instant, Warnings } from './common.ts'

const BotAccount = z
  .object({
    name: z.string().describe('What `account` of a start names'),
    platform: z.enum(PLATFORM_NAMES),
    limit: z.int().describe('Bots that may use it at once, over all nodes'),
    inUse: z.int(),
    addedAt: Instant,
    lastUsedAt: Instant.nullable(),
    refreshedAt: Instant.nullable().describe('When a bot last brought renewed cookies back'),
  })
  .meta({ id: 'BotAccount' })

export const BotAccountsAnswer = z.object({ botAccounts: z.array(BotAccount) })

/** For administrators, who can mend what is wrong with one. */
export const ExaminedAccountsAnswer = z.object({
  botAccounts: z.array(
    z.object({ ...BotAccount.shape, ok: z.boolean(), detail: z.string().describe('How it is') }),
  ),
})

const name = z.string().trim().regex(ACCOUNT_NAME, NAME_RULE)
export const AddAccountBody = z.object({
  name,
  platform: z.enum(ACCOUNT_PLATFORMS),
  limit: z.int().min(1).max(1_000).optional(),
  state: z.string().min(1).max(MAX_STATE_CHARS).describe('A Playwright storage state, as text'),
})
export const AddedAccountAnswer = z.object({
  isNew: z.boolean(),
  isSignedIn: z.boolean().describe('Whether a cookie of it looks like a sign-in'),
  warnings: Warnings,
})
export const AccountParams = z.object({ name })

export type WireExaminedAccount = z.input<typeof ExaminedAccountsAnswer>['botAccounts'][number]
export type WireAddedAccount = z.input<typeof AddedAccountAnswer>
