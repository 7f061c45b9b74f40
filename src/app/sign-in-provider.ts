import type { SignInProviderOptions } from '../accounts/area.ts'
import type { Config } from '../config/config.ts'
import { createNetworkPolicy } from '../deliveries/network/policy/network-policy.ts'
import { readFileOrStdin } from '../storage/data-folder.ts'
import { createProviderFetch } from './provider-fetch.ts'

const TIMEOUT_MS = 10_000

type Parts = {
  config: Config
  ownPorts(): number[]
  database: { host: string; port: number } | null
  timeoutMs: number | undefined
}

/** The sign-in provider of the settings; null when there is none. */
export function createSignInProvider(
  parts: Parts,
): (SignInProviderOptions & AsyncDisposable) | null {
  const { config, ownPorts, database, timeoutMs = TIMEOUT_MS } = parts
  const { oidcIssuer: issuer, oidcClientId: clientId } = config
  if (issuer === undefined || clientId === undefined) return null
  // The operator chose the issuer, which may be in a private network. Its discovery document may not choose others.
  const policy = createNetworkPolicy({
    level: 'public-only',
    allow: config.callbackAllow ?? [],
    deny: config.callbackDeny ?? [],
    ownPorts,
    database,
  })
  const { fetch, close } = createProviderFetch(new URL(issuer).origin, policy)
  return {
    name: config.oidcName,
    openId: {
      issuer,
      clientId,
      clientSecret: readClientSecret(config),
      scopes: config.oidcScopes,
      groupsClaim: config.oidcGroupsClaim,
      needsGroups: (config.oidcRegisterGroups ?? config.oidcAdminGroups) !== undefined,
      timeoutMs,
      fetch,
    },
    rules: {
      domains: config.oidcRegisterDomains ?? [],
      groups: config.oidcRegisterGroups ?? [],
      adminGroups: config.oidcAdminGroups ?? [],
      trustsEmail: config.oidcTrustEmail,
    },
    [Symbol.asyncDispose]: close,
  }
}

function readClientSecret({ oidcClientSecret: secret, oidcClientSecretFile: file }: Config) {
  if (secret !== undefined) return secret
  return file === undefined ? null : readFileOrStdin('HANSARD_OIDC_CLIENT_SECRET_FILE', file)
}
