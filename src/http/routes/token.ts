import { strict as assert } from 'node:assert'
import type { Tokens } from '../../accounts/tokens.ts'
import { TokenAnswer } from '../shapes/account.ts'
import type { App } from '../type-provider.ts'

/** What a program can ask about its own key. */
export function tokenRoutes(app: App, { tokens }: { tokens: Tokens }): void {
  app.get(
    '/api/v1/token',
    {
      config: { access: 'key' },
      schema: {
        summary: 'The token of this API key',
        description: 'Whether a key works, what it may do, and when it ends.',
        tags: ['Account'],
        response: { 200: TokenAnswer },
      },
    },
    async (request) => {
      assert(request.token)
      return { token: await tokens.get(request.token.id) }
    },
  )
}
