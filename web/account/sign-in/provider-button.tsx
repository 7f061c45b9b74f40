import { useApi } from '../../api/use-api.tsx'
import type { ApiClient } from '../../api/client.ts'
import { useAction, ActionButtonWithError } from '../../ui/forms.tsx'
import type { SignInProblem } from '../../../src/http/shapes/values.ts'

interface ProviderButtonProps {
  /** Starts the sign-in or the linking. */
  start: (api: ApiClient) => Promise<{ url: string }>
  variant: 'filled' | 'default'
  children: string
}

/** Leaves the console for the sign-in provider's page. */
export function ProviderButton({ start, variant, children }: ProviderButtonProps) {
  const api = useApi()
  const action = useAction(async () => {
    const { url } = await start(api)
    window.location.assign(url)
    // The button stays in its loading state until the browser leaves this page.
    await new Promise(() => {})
  })
  return (
    <ActionButtonWithError variant={variant} action={action}>
      {children}
    </ActionButtonWithError>
  )
}

/** What happened in a sign-in with a provider, and what to do next. `provider` is its name on buttons. */
const TEXTS: Record<SignInProblem, (provider: string) => string> = {
  provider_unavailable: (provider) =>
    `Hansard couldn’t reach ${provider}, or got an unexpected response. Try again in a minute.`,
  provider_refused: (provider) => `The sign-in was cancelled, or ${provider} refused it.`,
  sign_in_expired: () =>
    'The sign-in took longer than ten minutes, was already used, or was started in another browser. Try again.',
  answer_rejected: (provider) =>
    `The response from ${provider} did not pass the security checks. Try again. If it keeps happening, tell an administrator.`,
  email_not_verified: (provider) =>
    `${provider} has no verified email address for you. Verify your address there, then sign in again.`,
  not_allowed: () =>
    'You have no account here, and your email address or groups do not allow you to create one. Ask an administrator.',
  setup_first: () =>
    'Hansard has no administrator yet. Use the setup link that it prints when it starts.',
  account_deactivated: () =>
    'Your account here is deactivated. Ask an admin, who can reactivate it.',
  account_exists: (provider) =>
    `An account with your email address already exists. Sign in to it another way, then link ${provider} under Account → Sign-in.`,
  linked_to_another: (provider) =>
    `This account at ${provider} is already linked to another person.`,
}

export function describeSignInProblem(problem: SignInProblem, provider: string | null): string {
  const text = TEXTS[problem](provider ?? 'the sign-in provider')
  return text.charAt(0).toUpperCase() + text.slice(1)
}
