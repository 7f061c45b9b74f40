import { z } from 'zod'
import { PLATFORM_NAMES } from '../../platforms/platform.ts'
import { Instant } from './common.ts'

export const BotAccountsAnswer = z.object({
  botAccounts: z.array(
    z
      .object({
        name: z.string().describe('What `account` of a start names'),
        platform: z.enum(PLATFORM_NAMES),
        limit: z.int().describe('Bots that may use it at once, over all nodes'),
        inUse: z.int(),
        addedAt: Instant,
        lastUsedAt: Instant.nullable(),
        refreshedAt: Instant.nullable().describe('When a bot last brought renewed cookies back'),
      })
      .meta({ id: 'BotAccount' }),
  ),
})
