import { strict as assert } from 'node:assert'
import type { ApiTokens } from '../../../accounts/tokens/tokens.ts'
import { TokenResponse } from '../../shapes/account.ts'
import type { FastifyApp } from '../../fastify-app.ts'

/** Lets a program read the token of its API key. */
export function currentTokenRoute(app: FastifyApp, { tokens }: { tokens: ApiTokens }): void {
  app.get(
    '/api/v1/token',
    {
      config: { access: 'key', subject: 'own' },
      schema: {
        summary: 'The token of this API key',
        description: 'Shows whether the key is valid, its permissions and when it expires.',
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
