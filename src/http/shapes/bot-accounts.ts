import { z } from 'zod'
import { ACCOUNT_NAME_PATTERN, ACCOUNT_NAME_RULE } from '../../bots/accounts/account-name.ts'

import { MAX_STATE_CHARS } from '../../bots/accounts/storage-state.ts'
import { Instant, Warnings } from './common.ts'
import { ACCOUNT_PLATFORMS, PLATFORM_NAMES } from './values.ts'

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

export const BotAccountsResponse = z.object({ botAccounts: z.array(BotAccount) })

/** For administrators, who can mend what is wrong with one. */
export const CheckedBotAccountsResponse = z.object({
  botAccounts: z.array(
    z.object({ ...BotAccount.shape, ok: z.boolean(), detail: z.string().describe('How it is') }),
  ),
})

const name = z.string().trim().regex(ACCOUNT_NAME_PATTERN, ACCOUNT_NAME_RULE)
export const AddBotAccountBody = z.object({
  name,
  platform: z.enum(ACCOUNT_PLATFORMS),
  limit: z.int().min(1).max(1_000).optional(),
  state: z.string().min(1).max(MAX_STATE_CHARS).describe('A Playwright storage state, as text'),
})
export const AddedBotAccountResponse = z.object({
  isNew: z.boolean(),
  isSignedIn: z.boolean().describe('Whether a cookie of it looks like a sign-in'),
  warnings: Warnings,
})
export const BotAccountParams = z.object({ name })

export type WireCheckedBotAccount = z.input<
  typeof CheckedBotAccountsResponse
>['botAccounts'][number]
export type WireAddedBotAccount = z.input<typeof AddedBotAccountResponse>
