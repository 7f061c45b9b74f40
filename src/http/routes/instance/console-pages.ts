import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyReply } from 'fastify'
import { contentSecurityPolicy } from '../../pipeline/security-headers.ts'
import type { FastifyApp } from '../../fastify-app.ts'

/** The paths of the console. All serve the same page, and the browser decides what it shows. */
const CONSOLE_PATHS = [
  '/',
  '/setup',
  '/sign-in',
  '/invite',
  '/reset',
  '/connect',
  '/account',
  '/meetings',
  '/meetings/:meetingId',
  '/upcoming',
  '/actions',
  '/decisions',
  '/ask',
  '/tasks',
  '/tasks/:name',
  '/runs/:executionId',
  '/prompts',
  '/prompts/*',
  '/new-prompt',
  '/deliveries',
  '/deliveries/inbox',
  '/projects',
  '/projects/:projectId',
  '/projects/:projectId/*',
  '/search',
  '/system',
]
const NONCE_PLACEHOLDER = '__CSP_NONCE__'

export async function serveConsole(app: FastifyApp, buildFolder: string): Promise<void> {
  const page = await readFile(join(buildFolder, 'index.html'), 'utf8')

  const sendPage = (reply: FastifyReply): FastifyReply => {
    const nonce = randomBytes(16).toString('base64')
    return reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', contentSecurityPolicy(`'nonce-${nonce}'`))
      .send(page.replaceAll(NONCE_PLACEHOLDER, nonce))
  }
  for (const url of CONSOLE_PATHS) {
    app.get(url, { config: { access: 'open', subject: 'none' } }, async (_request, reply) =>
      sendPage(reply),
    )
  }
  // For an unknown address, the console shows its page "Page not found".
  app.decorateReply('sendNotFoundPage', function sendNotFoundPage() {
    return sendPage(this.code(404))
  })

  const icon = await readFile(join(buildFolder, 'favicon.svg'), 'utf8')
  app.get(
    '/favicon.svg',
    { config: { access: 'open', subject: 'none' } },
    async (_request, reply) =>
      reply.type('image/svg+xml').header('cache-control', 'public, max-age=86400').send(icon),
  )
  await app.register(async (scope) => {
    scope.addHook('onRoute', (route) => {
      route.config = { ...route.config, access: 'open', subject: 'none' }
    })
    await scope.register(fastifyStatic, {
      root: join(buildFolder, 'assets'),
      prefix: '/assets/',
      preCompressed: true,
      // Browsers may cache assets forever, because each file name contains a hash of the content.
      immutable: true,
      maxAge: '365d',
      decorateReply: false,
      index: false,
    })
  })
}
