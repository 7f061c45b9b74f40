import { strict as assert } from 'node:assert'
import type { ApiTokens } from '../../../accounts/tokens/tokens.ts'
import { TokenResponse } from '../../shapes/account.ts'
import type { FastifyApp } from '../../fastify-app.ts'

/** What a program can ask about its own key. */
export function ownTokenRoutes(app: FastifyApp, { tokens }: { tokens: ApiTokens }): void {
  app.get(
    '/api/v1/token',
    {
      config: { access: 'key' },
      schema: {
        summary: 'The token of this API key',
        description: 'Whether a key works, what it may do, and when it ends.',
        tags: ['Account'],
        response: { 200: TokenResponse },
      },
    },
    async (request) => {
      assert(request.token)
      return { token: await tokens.get(request.token.id) }
    },
  )
}
