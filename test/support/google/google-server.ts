import type { GoogleHosts } from '../../../src/network/google-hosts.ts'
import { systemClock, type Clock } from '../../../src/lib/time/clock.ts'
import { startProviderServer, type ProviderServer } from '../http/provider-server.ts'
import { refuse } from './api-errors.ts'
import { answerCalendarRequest } from './calendar-endpoints.ts'
import { answerMeetRequest } from './meet-endpoints.ts'
import { answerTokenRequest, readToken, type IssuedTokens } from './oauth-endpoint.ts'
import { createWorkspace, type Workspace } from './workspace.ts'

export type GoogleServer = ProviderServer & { workspace: Workspace; hosts: GoogleHosts }

/** One organization of Google Workspace on loopback: the token endpoint, Meet and Calendar. */
export async function startGoogleServer(clock: Clock = systemClock): Promise<GoogleServer> {
  const workspace = createWorkspace(() => clock.now())
  const tokens: IssuedTokens = new Map()
  const server = await startProviderServer((origin) => ({
    now: () => workspace.now(),
    answer({ url, body, authorization }) {
      if (url.pathname === '/token')
        return answerTokenRequest(workspace, tokens, new URLSearchParams(body), `${origin}/token`)
      const token = readToken(workspace, tokens, authorization)
      if (token === null)
        return refuse(
          401,
          'UNAUTHENTICATED',
          'Request had invalid authentication credentials.',
          'ACCESS_TOKEN_EXPIRED',
        )
      return url.pathname.startsWith('/v2/')
        ? answerMeetRequest(workspace, token, url)
        : answerCalendarRequest(workspace, token, url)
    },
  }))
  const { origin } = server
  return Object.assign(server, {
    workspace,
    hosts: { accounts: origin, oauth: origin, meet: origin, calendar: origin },
  })
}
