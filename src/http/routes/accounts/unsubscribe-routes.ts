import type { FastifyReply, FastifyRequest } from 'fastify'
import { ipToRateLimitKey } from '../../../accounts/sign-in/sign-in-throttle.ts'
import { markup } from '../../../lib/text/safe-html.ts'
import type { MailArea } from '../../../mail/area.ts'
import type { FastifyApp } from '../../fastify-app.ts'
import { clientIp } from '../../pipeline/access/caller.ts'
import {
  renderBusyPage,
  renderFrame,
  NOT_FOUND_PAGE,
  SHARED_PAGE_HEADERS,
} from '../sharing/page-frame.ts'
import type { SharedPageLimit } from '../sharing/shared-page-routes.ts'

type Parts = { mail: MailArea; limit: SharedPageLimit }

const MAX_BODY_BYTES = 4_096

/**
 * Turns off recap mail without a sign-in (RFC 8058). GET only shows a button, because mail programs and virus scanners
 * open links. Mail programs send the POST themselves.
 */
export function unsubscribeRoutes(app: FastifyApp, { mail, limit }: Parts): void {
  const route = { config: { access: 'open', subject: 'none' } } as const
  const url = '/unsubscribe/:token'
  const refuseMany = (request: FastifyRequest, reply: FastifyReply): FastifyReply | null => {
    const waitSeconds = limit('address', ipToRateLimitKey(clientIp(request)))
    if (waitSeconds === null) return null
    void reply.header('retry-after', waitSeconds)
    return sendPage(reply, 429, renderBusyPage(waitSeconds))
  }
  const tokenOf = (request: FastifyRequest) => (request.params as { token: string }).token

  app.get(url, route, async (request, reply) => {
    const busy = refuseMany(request, reply)
    if (busy !== null) return busy
    const isKnown = mail.isUnsubscribeToken(tokenOf(request))
    return isKnown ? sendPage(reply, 200, QUESTION_PAGE) : sendPage(reply, 404, NOT_FOUND_PAGE)
  })

  // Only this Fastify scope accepts forms. Their content does not matter.
  void app.register(async (scope: FastifyApp) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(
      '*',
      { parseAs: 'string', bodyLimit: MAX_BODY_BYTES },
      (_request, _body, done) => done(null, null),
    )
    scope.post(url, route, async (request, reply) => {
      const busy = refuseMany(request, reply)
      if (busy !== null) return busy
      const isDone = await mail.unsubscribe(tokenOf(request), clientIp(request))
      return isDone ? sendPage(reply, 200, DONE_PAGE) : sendPage(reply, 404, NOT_FOUND_PAGE)
    })
  })
}

const QUESTION_PAGE = [
  ...renderFrame(
    'Recaps by mail',
    [
      markup`<h1>Get no recaps by mail?</h1>
<p>You can still read the recaps in Hansard, and turn the mail on again at Account → Notifications.</p>
<form method="post"><button type="submit">Get no recaps by mail</button></form>`,
    ],
    'notice',
  ),
].join('')

const DONE_PAGE = [
  ...renderFrame(
    'Recaps by mail',
    [
      markup`<h1>You get no more recaps by mail</h1>
<p>To get them again, sign in and choose them at Account → Notifications.</p>`,
    ],
    'notice',
  ),
].join('')

function sendPage(reply: FastifyReply, status: number, page: string): FastifyReply {
  return reply.code(status).headers(SHARED_PAGE_HEADERS).send(page)
}
