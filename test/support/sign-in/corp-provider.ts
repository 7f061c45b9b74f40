import { ADMIN } from '../service/admin-user.ts'
import { startService } from '../service/start-service.ts'
import { CLIENT_ID, CLIENT_SECRET, openOpenIdProvider } from './openid-provider.ts'

const BOB = { name: 'Bob', email: 'bob@corp.example', email_verified: true, groups: ['staff'] }

/** A service whose people can sign in with the provider “Corp ID”, which knows some people. */
export async function openServiceWithProvider(env: Record<string, string> = {}) {
  await using stack = new AsyncDisposableStack()
  const provider = stack.use(
    await openOpenIdProvider({
      'ada-at-work': { ...BOB, name: 'Ada at work', email: ADMIN.email },
      bob: BOB,
      'bob-again': BOB,
      carol: { ...BOB, email: 'carol@corp.example', email_verified: false },
      dan: { ...BOB, email: 'dan@elsewhere.example' },
      erin: { ...BOB, email: 'erin@corp.example', groups: [] },
      root: { ...BOB, name: 'Root', email: 'root@corp.example', groups: ['staff', 'admins'] },
    }),
  )
  const service = stack.use(
    await startService({
      HANSARD_OIDC_ISSUER: `${provider.issuer}/.well-known/openid-configuration`,
      HANSARD_OIDC_CLIENT_ID: CLIENT_ID,
      HANSARD_OIDC_CLIENT_SECRET: CLIENT_SECRET,
      HANSARD_OIDC_NAME: 'Corp ID',
      HANSARD_OIDC_REGISTER_DOMAINS: 'corp.example',
      HANSARD_OIDC_REGISTER_GROUPS: 'staff',
      HANSARD_OIDC_ADMIN_GROUPS: 'admins',
      ...env,
    }),
  )
  provider.connect(service.url)
  const ada = await service.adminClient()
  const opened = stack.move()
  return {
    provider,
    service,
    ada,
    async readAudit(action: string): Promise<Array<Record<string, string | null>>> {
      const { body } = await ada.get(`/web/audit?action=${encodeURIComponent(action)}`)
      return body['entries'] as Array<Record<string, string | null>>
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}
