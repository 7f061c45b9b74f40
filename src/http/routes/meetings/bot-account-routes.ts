import type { z } from 'zod'
import { INSTANCE_VIEWER } from '../../../access/viewer.ts'
import type { BotAccounts } from '../../../bots/accounts/bot-accounts.ts'
import {
  checkStoredSignInCookies,
  MAX_STORAGE_STATE_CHARS,
  parseStorageState,
  signInStatusOf,
} from '../../../bots/accounts/storage-state.ts'
import { ServiceError } from '../../../errors.ts'
import type { Clock } from '../../../lib/time/clock.ts'
import type { FastifyApp } from '../../fastify-app.ts'
import { readSignedInUserAuditActor, requireViewer } from '../../pipeline/access/caller.ts'
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
  app.get(
    '/api/v1/bot-accounts',
    {
      config: { access: 'key', scopes: ['read', 'meetings'], subject: 'list' },
      schema: {
        summary: 'Signed-in accounts that bots can join meetings with',
        description: 'Send the name of one as `account` when you start a meeting.',
        tags: ['Meetings'],
        response: { 200: BotAccountsResponse },
      },
    },
    async (request) => ({ botAccounts: await parts.botAccounts.list(requireViewer(request)) }),
  )
  // For people who start a failed meeting again with an account.
  app.get(
    '/web/bot-accounts',
    {
      config: { access: 'session', subject: 'list' },
      schema: { response: { 200: BotAccountsResponse } },
    },
    async (request) => ({ botAccounts: await parts.botAccounts.list(requireViewer(request)) }),
  )
  botAccountAdminRoutes(app, parts)
}

function botAccountAdminRoutes(app: FastifyApp, { botAccounts, clock }: Parts): void {
  const config = { access: 'admin', subject: 'instance' } as const

  app.get(
    '/web/system/bot-accounts',
    { config, schema: { response: { 200: CheckedBotAccountsResponse } } },
    async () => {
      // Only admins, who manage the accounts, get here.
      const accounts = await botAccounts.list(INSTANCE_VIEWER)
      const checked = accounts.map(async (account) => ({
        ...account,
        ...(await checkStoredSignInCookies(botAccounts, account, clock.now())),
      }))
      return { botAccounts: await Promise.all(checked) }
    },
  )

  app.post(
    '/web/system/bot-accounts',
    {
      config: { ...config, findFieldProblems: findStateProblems },
      bodyLimit: STATE_BODY_LIMIT,
      schema: { body: AddBotAccountBody, response: { 201: AddedBotAccountResponse } },
    },
    async (request, reply) => {
      const { name, platform, limit, state: text } = request.body
      const parsed = parseStorageState(platform, text)
      if (!parsed.isValid) throw invalidStateError(parsed.problem)
      const { state } = parsed
      const { isNew } = await botAccounts.add(
        { name, platform, limit, state },
        readSignedInUserAuditActor(request),
      )
      const { isSignedIn } = signInStatusOf(platform, state, clock.now())
      return reply.code(201).send({ isNew, isSignedIn })
    },
  )

  app.delete(
    '/web/system/bot-accounts/:name',
    { config, schema: { params: BotAccountParams, response: { 200: SuccessResponse } } },
    async (request) => {
      await botAccounts.remove(request.params.name, readSignedInUserAuditActor(request))
      return { success: true as const }
    },
  )
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
  return new ServiceError('invalid_request', { details: [{ path: 'state', message }] })
}
