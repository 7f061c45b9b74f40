import { z } from 'zod'
import {
  commaSeparatedList,
  domainList,
  isOriginSafeForSecrets,
  nonEmptyText,
  onOffFlag,
} from './setting-schemas.ts'

const DISCOVERY_SUFFIX = /\.well-known\/openid-configuration$/

/** A provider's address, with or without the path of its discovery document. */
const issuerUrl = z
  .url({ protocol: /^https?$/, error: 'must be an https address' })
  .transform((value, context) => {
    const url = new URL(value.replace(DISCOVERY_SUFFIX, ''))
    if (isOriginSafeForSecrets(url.origin) && url.search === '' && url.hash === '') return url.href
    context.addIssue('must be an https address without a query; http only for this machine')
    return z.NEVER
  })

/** Settings for how people sign in. */
export const SIGN_IN_SETTINGS = {
  localSignIn: {
    env: 'HANSARD_LOCAL_SIGN_IN',
    schema: onOffFlag,
    default: 'on',
    about:
      'Whether people can sign in with a password or a passkey; `off` needs `HANSARD_OIDC_ISSUER` and leaves only that way',
  },
  oidcIssuer: {
    env: 'HANSARD_OIDC_ISSUER',
    schema: issuerUrl,
    about:
      'Address of an OpenID Connect provider with which people can sign in; it is the `issuer` in the discovery document',
  },
  oidcClientId: {
    env: 'HANSARD_OIDC_CLIENT_ID',
    schema: nonEmptyText,
    about: 'Client id that the provider gave to this instance',
  },
  oidcClientSecret: {
    env: 'HANSARD_OIDC_CLIENT_SECRET',
    schema: nonEmptyText,
    isSecret: true,
    about: 'Client secret of that client; not needed for a public client',
  },
  oidcClientSecretFile: {
    env: 'HANSARD_OIDC_CLIENT_SECRET_FILE',
    schema: nonEmptyText,
    about: 'File that contains that client secret',
  },
  oidcName: {
    env: 'HANSARD_OIDC_NAME',
    schema: z.string().min(1).max(60),
    default: 'single sign-on',
    about: 'Name of the provider on the button “Sign in with …”',
  },
  oidcScopes: {
    env: 'HANSARD_OIDC_SCOPES',
    schema: z
      .string()
      .regex(
        /^openid( [\x21\x23-\x5B\x5D-\x7E]+)*$/,
        'must start with openid, such as openid email',
      ),
    default: 'openid email profile',
    about: 'Scopes to request, separated by spaces; some providers need one for groups',
  },
  oidcGroupsClaim: {
    env: 'HANSARD_OIDC_GROUPS_CLAIM',
    schema: nonEmptyText,
    default: 'groups',
    about: 'Claim that contains the groups of a person',
  },
  oidcRegisterDomains: {
    env: 'HANSARD_OIDC_REGISTER_DOMAINS',
    schema: domainList,
    about:
      'Domains, separated by commas: people with a verified email address in one of them get an account at their first sign-in',
  },
  oidcRegisterGroups: {
    env: 'HANSARD_OIDC_REGISTER_GROUPS',
    schema: commaSeparatedList,
    about:
      'Groups, separated by commas, whose members get an account at their first sign-in; with domains too, both must match',
  },
  oidcAdminGroups: {
    env: 'HANSARD_OIDC_ADMIN_GROUPS',
    schema: commaSeparatedList,
    about:
      'Groups, separated by commas, whose members are admins; everyone else becomes a member at the next sign-in with the provider',
  },
  oidcTrustEmail: {
    env: 'HANSARD_OIDC_TRUST_EMAIL',
    schema: onOffFlag,
    default: 'off',
    about:
      'Whether email addresses count as verified when the provider does not say so; only for a provider where your organization assigns all addresses',
  },
  assistants: {
    env: 'HANSARD_ASSISTANTS',
    schema: z.enum(['any', 'verified', 'off']),
    default: 'any',
    about:
      'Which assistants people can connect by the address of this instance, which needs `HANSARD_PUBLIC_URL` with https: `any`; `verified`: only those that prove at a web address who they are; `off`: none, and connected ones are refused',
  },
} as const

/** Finds combinations of these settings that make no sense. */
export function findSignInSettingProblems(values: Readonly<Record<string, unknown>>): string[] {
  const isGiven = (name: keyof typeof SIGN_IN_SETTINGS) => values[name] !== undefined
  const problems = []
  if (isGiven('oidcIssuer') !== isGiven('oidcClientId'))
    problems.push('HANSARD_OIDC_ISSUER and HANSARD_OIDC_CLIENT_ID go together')
  if (isGiven('oidcClientSecret') && isGiven('oidcClientSecretFile'))
    problems.push(
      'HANSARD_OIDC_CLIENT_SECRET and HANSARD_OIDC_CLIENT_SECRET_FILE exclude each other',
    )
  if (values['localSignIn'] === false && !isGiven('oidcIssuer'))
    problems.push('HANSARD_LOCAL_SIGN_IN=off needs HANSARD_OIDC_ISSUER')
  return problems
}
