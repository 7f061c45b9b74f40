import { getRouteApi } from '@tanstack/react-router'
import { Stack, Text, Button, Radio, Checkbox, Group, Alert } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { ApiReviewedAssistant } from '../../../src/http/shapes/oauth.ts'
import { toApiError } from '../../api/api-error.ts'
import { clearCachedUserData, useApi, useAppState, useSignedInUser } from '../../api/use-api.tsx'
import { RedirectToSignIn } from '../../app/root.tsx'
import { useProjects } from '../../projects/queries.ts'
import { ErrorBox, LoadingIndicator } from '../../ui/feedback/feedback.tsx'
import { Name, ButtonLink } from '../../ui/links.tsx'
import {
  Form,
  FormButtons,
  readFormText,
  useAction,
  useFieldError,
  ActionButton,
} from '../../ui/forms.tsx'
import { PageTitle } from '../../ui/layout.tsx'
import { ASSISTANT_ACCESS_LABELS } from '../account-labels.ts'
import { Hint } from '../../ui/text.tsx'
import { AllOrSomeField } from '../../ui/fields.tsx'
import { LoadMoreButton } from '../../ui/tables/data-table.tsx'

const route = getRouteApi('/signed-out/connect')

/** The page where a person lets an assistant act for them. The assistant's site sends the browser here. */
export function ConnectPage() {
  const { user } = useAppState()
  // Also after another person has signed in: what they see and allow is theirs.
  return user ? <Review key={user.id} /> : <RedirectToSignIn />
}

function Review() {
  const api = useApi()
  const { request = '' } = route.useSearch()
  const { data, error } = useQuery({
    queryKey: ['assistant', request],
    queryFn: () => api.assistants.review({ request }),
    // What is shown is what the person allows, so it does not change while they read.
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
  })
  if (error) return <ReviewError error={error} />
  if (data === undefined) return <LoadingIndicator label="Loading the request" />
  return data.ticket === null ? (
    <RequestProblem reviewed={data} />
  ) : (
    <Consent reviewed={data} ticket={data.ticket} />
  )
}

function ReviewError({ error }: { error: Error }) {
  const isTooOld = toApiError(error).code === 'recent_sign_in_needed'
  return (
    <Stack>
      <PageTitle>Connect an assistant</PageTitle>
      {isTooOld ? (
        <>
          <Text>
            You signed in more than 15 minutes ago. Sign in again to connect an assistant.
          </Text>
          <SignInAgainButton />
        </>
      ) : (
        <>
          <ErrorBox error={error} />
          <ButtonLink to="/" variant="default">
            Go to Hansard
          </ButtonLink>
        </>
      )}
    </Stack>
  )
}

/** Signs out. The page then asks for a sign-in and comes back. */
function SignInAgainButton({ label = 'Sign in again' }: { label?: string }) {
  const api = useApi()
  const queries = useQueryClient()
  const action = useAction(async () => {
    await api.signIn.end()
    clearCachedUserData(queries)
  })
  return (
    <>
      <ActionButton variant={label === 'Sign in again' ? 'filled' : 'default'} action={action}>
        {label}
      </ActionButton>
      <ErrorBox error={action.error} />
    </>
  )
}

function RequestProblem({ reviewed }: { reviewed: ApiReviewedAssistant }) {
  const { assistant, problem, refuseUrl } = reviewed
  return (
    <Stack>
      <PageTitle>Can’t connect the assistant</PageTitle>
      <Text>
        The request of <Name>{assistant.name}</Name> has a problem, which its makers have to solve:{' '}
        {problem}.
      </Text>
      <Button variant="default" onClick={() => window.location.assign(refuseUrl)}>
        {`Back to ${assistant.host}`}
      </Button>
    </Stack>
  )
}

function Consent({ reviewed, ticket }: { reviewed: ApiReviewedAssistant; ticket: string }) {
  const { assistant, canWrite, refuseUrl } = reviewed
  const api = useApi()
  const action = useAction(async (values: FormData) => {
    const projects = values.getAll('projects') as string[]
    const isLimited = readFormText(values, 'projectMode') === 'some'
    const { redirectUrl } = await api.assistants.allow({
      ticket,
      canWrite: readFormText(values, 'access') === 'write',
      ...(isLimited && { projects }),
    })
    window.location.assign(redirectUrl)
    // The button stays in its loading state until the browser leaves this page.
    await new Promise(() => {})
  })
  return (
    <Stack>
      <PageTitle tabTitle="Connect an assistant">{`Connect ${assistant.name}?`}</PageTitle>
      <WhoAsks assistant={assistant} />
      <Form action={action}>
        <AccessField canWrite={canWrite} />
        <ProjectsField />
        <Hint>
          It never gets more than you may do yourself. You can disconnect it at any time under
          Account → API tokens.
        </Hint>
        <FormButtons
          isRunning={action.isRunning}
          onCancel={() => window.location.assign(refuseUrl)}
        >
          Connect
        </FormButtons>
      </Form>
      <SignedInAs />
    </Stack>
  )
}

function WhoAsks({ assistant }: Pick<ApiReviewedAssistant, 'assistant'>) {
  const { name, host, isOnThisMachine, isVerified } = assistant
  if (isVerified) {
    return (
      <Text>
        <Name>{name}</Name> wants to use Hansard as you. <strong>{host}</strong> publishes this name
        and gets the access.
      </Text>
    )
  }
  return (
    <Stack gap="sm">
      <Text>
        An assistant that calls itself “<Name>{name}</Name>” wants to use Hansard as you. The access
        goes to{' '}
        {isOnThisMachine ? (
          <strong>a program on this computer ({host})</strong>
        ) : (
          <strong>{host}</strong>
        )}
        .
      </Text>
      <Alert color="yellow" variant="outline">
        Nobody has checked this name. Continue only if you have just started to connect an assistant
        {isOnThisMachine ? ' on this computer' : ` at ${host}`}.
      </Alert>
    </Stack>
  )
}

function AccessField({ canWrite }: { canWrite: boolean }) {
  const choices = canWrite ? (['read', 'write'] as const) : (['read'] as const)
  return (
    <Radio.Group name="access" label="It may" defaultValue="read">
      <Stack mt="xs" gap="xs">
        {choices.map((access) => (
          <Radio key={access} value={access} {...ASSISTANT_ACCESS_LABELS[access]} />
        ))}
      </Stack>
    </Radio.Group>
  )
}

function ProjectsField() {
  const query = useProjects()
  const { data, error } = query
  const projects = data?.pages.flatMap((page) => page.projects) ?? []
  const problem = useFieldError('projects')
  return (
    <AllOrSomeField
      name="projectMode"
      label="In these projects"
      allLabel="All projects that you can use, now and later"
      someLabel="Selected projects"
    >
      <Checkbox.Group label="Projects" error={problem} pl="xl">
        <Stack mt="xs" gap="xs" mah={220} style={{ overflowY: 'auto' }}>
          {projects.map(({ id, name }) => (
            <Checkbox key={id} name="projects" value={id} label={<Name>{name}</Name>} />
          ))}
          {data !== undefined && projects.length === 0 && <Text size="sm">No projects yet.</Text>}
          <Group>
            <LoadMoreButton query={query} variant="subtle">
              Show more
            </LoadMoreButton>
          </Group>
        </Stack>
        <ErrorBox error={error} />
      </Checkbox.Group>
    </AllOrSomeField>
  )
}

function SignedInAs() {
  const { name, email } = useSignedInUser()
  return (
    <Stack gap="xs">
      <Hint>
        You are signed in as {name} ({email}).
      </Hint>
      <SignInAgainButton label="Use another account" />
    </Stack>
  )
}
