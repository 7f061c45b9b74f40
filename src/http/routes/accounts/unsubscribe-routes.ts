import type { FastifyReply, FastifyRequest } from 'fastify'
import { ipToRateLimitKey } from '../../../accounts/sign-in/sign-in-throttle.ts'
import { markup, type SafeHtml } from '../../../lib/text/safe-html.ts'
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
 * Turns off a kind of mail without a sign-in (RFC 8058). GET only shows a button, because mail programs and virus scanners
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
    const what = mail.readUnsubscribeToken(tokenOf(request))
    return what === null
      ? sendPage(reply, 404, NOT_FOUND_PAGE)
      : sendPage(reply, 200, renderQuestionPage(what))
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
      const what = await mail.unsubscribe(tokenOf(request), clientIp(request))
      return what === null
        ? sendPage(reply, 404, NOT_FOUND_PAGE)
        : sendPage(reply, 200, renderDonePage(what))
    })
  })
}

type Unsubscribed = NonNullable<Awaited<ReturnType<MailArea['unsubscribe']>>>

const AGAIN = 'To get them again, sign in and choose them at Account → Notifications.'
const IN_HANSARD = 'and you can turn the mail on again at Account → Notifications.'

/** What the pages say: the question explains `kept`, the confirmation `after`. */
const TEXTS: Readonly<Record<Unsubscribed, { plural: string; kept: string; after: string }>> = {
  recaps: {
    plural: 'recaps',
    kept: `You can still read the recaps in Hansard, ${IN_HANSARD}`,
    after: AGAIN,
  },
  digest: {
    plural: 'digests',
    kept: `Everything in it can still be read in Hansard, ${IN_HANSARD}`,
    after: AGAIN,
  },
  guest: {
    plural: 'recaps',
    kept: 'Then this instance of Hansard mails you no recap, whichever meetings you are invited to. Links that you have got keep working until they expire.',
    after: 'This holds for every meeting of this instance of Hansard.',
  },
  briefs: {
    plural: 'briefs',
    kept: `You can still read the briefs in Hansard under Upcoming, ${IN_HANSARD}`,
    after: AGAIN,
  },
}

function renderQuestionPage(what: Unsubscribed): string {
  const { plural, kept } = TEXTS[what]
  return renderPage(markup`<h1>Get no ${plural} by mail?</h1>
<p>${kept}</p>
<form method="post"><button type="submit">Get no ${plural} by mail</button></form>`)
}

function renderDonePage(what: Unsubscribed): string {
  const { plural, after } = TEXTS[what]
  return renderPage(markup`<h1>You get no more ${plural} by mail</h1>
<p>${after}</p>`)
}

function renderPage(content: SafeHtml): string {
  return [...renderFrame('Mail from Hansard', [content], 'notice')].join('')
}

function sendPage(reply: FastifyReply, status: number, page: string): FastifyReply {
  return reply.code(status).headers(SHARED_PAGE_HEADERS).send(page)
}
