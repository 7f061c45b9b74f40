import type { BotAccounts } from '../../bot-accounts/bot-accounts.ts'
import { BotAccountsAnswer } from '../shapes/bot-accounts.ts'
import type { App } from '../type-provider.ts'

/** Whom bots may come as. They are made on the command line, where somebody signs in. */
export function botAccountRoutes(app: App, { botAccounts }: { botAccounts: BotAccounts }): void {
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
    async () => ({ botAccounts: await botAccounts.list() }),
  )
}
