import type { BotAccounts } from '../../bot-accounts/bot-accounts.ts'
import { examineAccount } from '../../bot-accounts/examine.ts'
import { MAX_STATE_CHARS, parseState, standingOf } from '../../bot-accounts/storage-state.ts'
import { ServiceError } from '../../errors.ts'
import type { Clock } from '../../lib/clock.ts'
import { DoneAnswer } from '../shapes/account.ts'
import {
  AccountParams,
  AddAccountBody,
  AddedAccountAnswer,
  BotAccountsAnswer,
  ExaminedAccountsAnswer,
} from '../shapes/bot-accounts.ts'
import type { App } from '../type-provider.ts'
import { actorOf } from './sign-in.ts'

/** Every quote of a state is two characters in a body. */
const STATE_LIMIT = 2 * MAX_STATE_CHARS

type Parts = { botAccounts: BotAccounts; clock: Clock }

/** Whom bots may come as. To sign somebody in takes a browser with a screen, and so the command line. */
export function botAccountRoutes(app: App, parts: Parts): void {
  app.get(
    '/api/v1/bot-accounts',
    {
      config: { access: 'key', scopes: ['read', 'meetings'] },
      schema: {
        summary: 'Signed-in accounts that bots may come as',
        tags: ['Meetings'],
        response: { 200: BotAccountsAnswer },
      },
    },
    async () => ({ botAccounts: await parts.botAccounts.list() }),
  )
  adminRoutes(app, parts)
}

function adminRoutes(app: App, { botAccounts, clock }: Parts): void {
  const config = { access: 'admin' } as const

  app.get(
    '/web/system/bot-accounts',
    { config, schema: { response: { 200: ExaminedAccountsAnswer } } },
    async () => {
      const accounts = await botAccounts.list()
      const examined = accounts.map(async (account) => ({
        ...account,
        ...(await examineAccount(botAccounts, account, clock.now())),
      }))
      return { botAccounts: await Promise.all(examined) }
    },
  )

  app.post(
    '/web/system/bot-accounts',
    {
      config,
      bodyLimit: STATE_LIMIT,
      schema: { body: AddAccountBody, response: { 201: AddedAccountAnswer } },
    },
    async (request, reply) => {
      const { name, platform, limit, state: text } = request.body
      const read = parseState(platform, text)
      if (!read.isSound) {
        const details = [{ path: 'state', message: read.problem }]
        throw new ServiceError('invalid_request', { details })
      }
      const { state } = read
      const { isNew } = await botAccounts.add({ name, platform, limit, state }, actorOf(request))
      const { isSignedIn } = standingOf(platform, state, clock.now())
      return reply.code(201).send({ isNew, isSignedIn })
    },
  )

  app.delete(
    '/web/system/bot-accounts/:name',
    { config, schema: { params: AccountParams, response: { 200: DoneAnswer } } },
    async (request) => {
      await botAccounts.remove(request.params.name, actorOf(request))
      return { success: true as const }
    },
  )
}
