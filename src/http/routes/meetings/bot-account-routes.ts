import type { z } from 'zod'
import { INSTANCE_VIEWER } from '../../../access/viewer.ts'
import type { BotAccounts } from '../../../bots/accounts/bot-accounts.ts'
import {
  checkStoredSignInCookies,
  MAX_STORAGE_STATE_CHARS,
  parseStorageState,
  signInStatusOf,
} from '../../../bots/accounts/storage-state.ts'
import { invalidField, type ServiceError } from '../../../errors.ts'
import type { Clock } from '../../../lib/time/clock.ts'
import type { FastifyApp } from '../../fastify-app.ts'
import { ADMIN_RULE, MEETING_SURFACES } from '../../pipeline/access/api-surfaces.ts'
import { defineConsoleRoutes, defineRoutes } from '../../pipeline/define-routes.ts'
import { readAuditActor } from '../../pipeline/access/caller.ts'
import {
  BotAccountParams,
  AddBotAccountBody,
  AddedBotAccountResponse,
  BotAccountsResponse,
  CheckedBotAccountsResponse,
} from '../../shapes/bot-accounts.ts'
import { SuccessResponse } from '../../shapes/common.ts'

/** The limit for a body with a browser's storage state. JSON escapes every quote, which can double the size. */
const STATE_BODY_LIMIT = 2 * MAX_STORAGE_STATE_CHARS

type Parts = { botAccounts: BotAccounts; clock: Clock }

/** Accounts that bots sign in with. Only the command line signs an account in, because that needs a visible browser. */
export function botAccountRoutes(app: FastifyApp, parts: Parts): void {
  const routes = defineConsoleRoutes(app, ADMIN_RULE)

  const { botAccounts, clock } = parts

  defineRoutes(app, MEETING_SURFACES.publicApi, 'Meetings').get('/bot-accounts', {
    subject: 'list',
    summary: 'Signed-in accounts that bots can join meetings with',
    description: 'Send the name of one as `account` when you start a meeting.',
    response: BotAccountsResponse,
    handler: async (request) => ({ botAccounts: await parts.botAccounts.list(request.viewer) }),
  })

  // For people who start a failed meeting again with an account.
  defineConsoleRoutes(app).get('/bot-accounts', {
    subject: 'list',
    response: BotAccountsResponse,
    handler: async (request) => ({ botAccounts: await parts.botAccounts.list(request.viewer) }),
  })

  routes.get('/system/bot-accounts', {
    response: CheckedBotAccountsResponse,
    handler: async () => {
      // Only admins, who manage the accounts, get here.
      const accounts = await botAccounts.list(INSTANCE_VIEWER)
      const checked = accounts.map(async (account) => ({
        ...account,
        ...(await checkStoredSignInCookies(botAccounts, account, clock.now())),
      }))
      return { botAccounts: await Promise.all(checked) }
    },
  })

  routes.post('/system/bot-accounts', {
    findFieldProblems: findStateProblems,
    body: AddBotAccountBody,
    status: 201,
    response: AddedBotAccountResponse,
    bodyLimit: STATE_BODY_LIMIT,
    handler: async (request) => {
      const { name, platform, limit, state: text } = request.body
      const parsed = parseStorageState(platform, text)
      if (!parsed.isValid) throw invalidStateError(parsed.problem)
      const { state } = parsed
      const { isNew } = await botAccounts.add(
        { name, platform, limit, state },
        readAuditActor(request),
      )
      const { isSignedIn } = signInStatusOf(platform, state, clock.now())
      return { isNew, isSignedIn }
    },
  })

  routes.delete('/system/bot-accounts/:name', {
    params: BotAccountParams,
    response: SuccessResponse,
    handler: async (request) => {
      await botAccounts.remove(request.params.name, readAuditActor(request))
    },
  })
}

async function findStateProblems({
  platform,
  state,
}: Partial<z.output<typeof AddBotAccountBody>>): Promise<ServiceError[]> {
  if (platform === undefined || state === undefined) return []
  const parsed = parseStorageState(platform, state)
  return parsed.isValid ? [] : [invalidStateError(parsed.problem)]
}

function invalidStateError(message: string): ServiceError {
  return invalidField('state', message)
}
