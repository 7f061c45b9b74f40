import type { MicrosoftHostsByCloud } from '../../../src/network/microsoft-hosts.ts'
import { systemClock, type Clock } from '../../../src/lib/time/clock.ts'
import {
  startProviderServer,
  type ProviderRequest,
  type ProviderServer,
} from '../http/provider-server.ts'
import { answerGraphRequest } from './graph-endpoints.ts'
import { addGraphSubscriptions, type GraphSubscriptions } from './graph-subscriptions.ts'
import { createTenant, type Tenant } from './tenant.ts'
import { answerTokenRequest } from './token-endpoint.ts'

export type MicrosoftRequest = ProviderRequest

export type MicrosoftServer = ProviderServer &
  GraphSubscriptions & { tenant: Tenant; hosts: MicrosoftHostsByCloud }

/** One tenant of Microsoft 365 on loopback: its token endpoint and Microsoft Graph. */
export async function startMicrosoftServer(clock: Clock = systemClock): Promise<MicrosoftServer> {
  const tenant = createTenant(() => clock.now())
  const server = await startProviderServer((origin) => ({
    now: () => tenant.now(),
    answer: ({ method, url, body, authorization }) =>
      url.pathname.startsWith('/v1.0/')
        ? answerGraphRequest(tenant, origin, url, authorization, (path) =>
            opened.answerSubscription(method, path, body),
          )
        : answerTokenRequest(tenant, {
            path: url.pathname,
            form: new URLSearchParams(body),
            origin,
            graph: origin,
          }),
  }))
  const opened = addGraphSubscriptions(server, () => tenant.now())
  const hosts = { login: server.origin, graph: server.origin }
  const byCloud = { global: hosts, 'us-gov-high': hosts, 'us-gov-dod': hosts }
  return Object.assign(opened, { tenant, hosts: byCloud })
}
