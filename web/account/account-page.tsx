import { getRouteApi } from '@tanstack/react-router'
import { useQueryClient } from '@tanstack/react-query'
import { Stack, Button, Text, Group, Badge, Tabs, Divider } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { CalendarsTab } from '../calendars/calendars-tab.tsx'
import { NotificationsTab } from './notifications-tab.tsx'
import { SignInTab } from './sign-in-tab.tsx'
import { TokensTab } from './tokens/tokens-tab.tsx'
import { PageTitle, TabRow, SectionHeader } from '../ui/layout.tsx'
import { type AccountTab, ACCOUNT_TABS, parseChoice } from '../api/url-parameters.ts'
import type { ApiUser, ApiSession } from '../../src/http/shapes/account.ts'
import { GET_STARTED_STEPS, HIDDEN_LIST_KEY } from '../../src/http/shapes/values.ts'
import { ROLE_LABELS } from './account-labels.ts'
import { useSignInMethods, useSessions } from './queries.ts'
import { useChangeMark, useMarks } from './use-marks.ts'
import {
  cacheChangedUser,
  useAppState,
  useSignedInUser,
  cacheSignInResult,
} from '../api/use-api.tsx'
import { ErrorBox, StatusMessage, QueryView } from '../ui/feedback/feedback.tsx'
import {
  Form,
  readFormText,
  readUntrimmedFormText,
  useAction,
  useRequest,
  ActionButton,
  SettingsForm,
} from '../ui/forms.tsx'
import { TextLink } from '../ui/links.tsx'
import { ConfirmDialog } from '../ui/dialogs.tsx'
import { type Column, DataTable, RowButton } from '../ui/tables/data-table.tsx'
import { Time } from '../ui/format/time.tsx'
import { describeDevice } from './describe-device.ts'
import { TextField, PasswordField } from '../ui/fields.tsx'
import type { ApiClient } from '../api/client.ts'

const TABS: Record<AccountTab, { label: string; content: ReactNode }> = {
  profile: { label: 'Profile', content: <ProfileTab /> },
  'sign-in': { label: 'Sign-in', content: <SignInTab /> },
  calendars: { label: 'Calendars', content: <CalendarsTab /> },
  notifications: { label: 'Notifications', content: <NotificationsTab /> },
  tokens: { label: 'API tokens', content: <TokensTab /> },
  sessions: { label: 'Sessions', content: <SessionsTab /> },
}

const route = getRouteApi('/signed-in/account')

export function AccountPage() {
  const navigate = route.useNavigate()
  const { tab = 'profile' } = route.useSearch()
  return (
    <Stack gap="lg" maw={1080}>
      <PageTitle>Account</PageTitle>
      <Tabs
        value={tab}
        keepMounted={false}
        onChange={(value) =>
          void navigate({ search: { tab: parseChoice(ACCOUNT_TABS, value) ?? 'profile' } })
        }
      >
        <TabRow tabs={TABS} selected={tab} />
        {Object.entries(TABS).map(([name, { content }]) => (
          <Tabs.Panel key={name} value={name} pt="xl">
            {content}
          </Tabs.Panel>
        ))}
      </Tabs>
    </Stack>
  )
}

function ProfileTab() {
  const user = useSignedInUser()
  const query = useSignInMethods()
  const { hasLocal } = useAppState().signIn
  return (
    <Stack gap="xl" maw={480}>
      <SectionHeader
        title="Profile"
        description={`${ROLE_LABELS[user.role]}. You sign in as ${user.email}.`}
      />
      <NameForm user={user} />
      <ErrorBox error={query.error} />
      {hasLocal && query.data?.hasPassword && (
        <>
          <Divider />
          <SectionHeader
            title="Password"
            description="Changing your password signs you out on all other devices."
          />
          <PasswordForm email={user.email} />
        </>
      )}
      <Divider />
      <GetStartedSection />
    </Stack>
  )
}

function NameForm({ user }: { user: ApiUser }) {
  const queries = useQueryClient()
  const save = async (api: ApiClient, values: FormData) => {
    const answer = await api.profile.update({ name: readFormText(values, 'name') })
    cacheChangedUser(queries, answer.user)
  }
  return (
    <SettingsForm submitLabel="Save name" savedText="Name saved." save={save}>
      <TextField
        name="name"
        label="Name"
        autoComplete="name"
        maxLength={100}
        defaultValue={user.name}
      />
    </SettingsForm>
  )
}

/** Brings back the list of first steps after the user has hidden it. */
function GetStartedSection() {
  const marks = useMarks()
  const change = useChangeMark()
  // Otherwise the section would disappear on the click, without a confirmation.
  const [wasShown, setShown] = useState(false)
  const show = useAction(() => {
    setShown(true)
    return change('get_started', HIDDEN_LIST_KEY, false)
  })
  if (!marks.isLoaded) return null
  const isComplete = GET_STARTED_STEPS.every((step) => marks.has('get_started', step))
  const isHidden = marks.has('get_started', HIDDEN_LIST_KEY)
  if (isComplete || (!isHidden && !wasShown)) return null
  return (
    <>
      <SectionHeader title="Get started" description="You have hidden the list of first steps." />
      <div role="status">
        {!isHidden && (
          <Text size="sm">
            The list is on your <TextLink to="/">home page</TextLink> again.
          </Text>
        )}
      </div>
      {isHidden && (
        <ActionButton variant="default" action={show} style={{ alignSelf: 'flex-start' }}>
          Show the list again
        </ActionButton>
      )}
      <ErrorBox error={show.error} />
    </>
  )
}

function PasswordForm({ email }: { email: string }) {
  const [changes, setChanges] = useState(0)
  const action = useChangePassword(() => setChanges((count) => count + 1))
  return (
    <>
      {/* After a password change, a new React key recreates the form with empty fields. */}
      <Form key={changes} action={action}>
        {/* Password managers save the new password under the user name in the same form. */}
        <input type="text" value={email} autoComplete="username" readOnly hidden />
        <PasswordField
          name="currentPassword"
          label="Current password"
          autoComplete="current-password"
        />
        <PasswordField name="newPassword" label="New password" autoComplete="new-password" />
        <Button type="submit" loading={action.isRunning} style={{ alignSelf: 'flex-start' }}>
          Change password
        </Button>
      </Form>
      <StatusMessage>
        {changes > 0 && 'Password changed. You are signed out on all other devices.'}
      </StatusMessage>
    </>
  )
}

function useChangePassword(onChanged: () => void) {
  const queries = useQueryClient()
  const change = async (api: ApiClient, values: FormData) => {
    const answer = await api.password.update({
      currentPassword: readUntrimmedFormText(values, 'currentPassword'),
      newPassword: readUntrimmedFormText(values, 'newPassword'),
    })
    cacheSignInResult(queries, answer)
    onChanged()
  }
  return useRequest(change, ['sessions'])
}

const COLUMNS: [Column<ApiSession>, ...Column<ApiSession>[]] = [
  { header: 'Device', cell: (session) => <Device session={session} /> },
  { header: 'IP address', cell: ({ ip }) => ip },
  { header: 'Signed in', cell: ({ createdAt }) => <Time at={createdAt} show="minute" /> },
  { header: 'Last seen', cell: ({ lastSeenAt }) => <Time at={lastSeenAt} show="ago" /> },
]

type SessionToEnd = ApiSession | 'others' | null

function SessionsTab() {
  const query = useSessions()
  const [selected, setSelected] = useState<SessionToEnd>(null)
  const hasOthers = query.data?.sessions.some(({ isCurrent }) => !isCurrent)
  return (
    <Stack gap="lg">
      <SectionHeader
        title="Sessions"
        description="Devices where you are signed in. Sign out any that you don’t recognise."
      >
        {hasOthers && (
          <Button variant="default" onClick={() => setSelected('others')}>
            Sign out all others
          </Button>
        )}
      </SectionHeader>
      <QueryView query={query} label="your sessions">
        {({ sessions }) => (
          <DataTable
            caption="Your sessions"
            rows={sessions}
            columns={COLUMNS}
            rowMenu={({ id, userAgent }) => ({ id, rowName: describeDevice(userAgent) })}
            renderActions={(session) =>
              !session.isCurrent && (
                <RowButton
                  label="Sign out"
                  ariaLabel={`Sign out ${describeDevice(session.userAgent)} at ${session.ip}`}
                  onClick={() => setSelected(session)}
                />
              )
            }
          />
        )}
      </QueryView>
      {selected && <EndSessionDialog selected={selected} onClose={() => setSelected(null)} />}
    </Stack>
  )
}

function Device({ session }: { session: ApiSession }) {
  return (
    <Group gap="xs">
      <span title={session.userAgent}>{describeDevice(session.userAgent)}</span>
      {session.isCurrent && <Badge variant="outline">This device</Badge>}
    </Group>
  )
}

type EndSessionDialogProps = { selected: NonNullable<SessionToEnd>; onClose: () => void }

function EndSessionDialog({ selected, onClose }: EndSessionDialogProps) {
  const isOthers = selected === 'others'
  return (
    <ConfirmDialog
      title={isOthers ? 'Sign out all other sessions?' : 'Sign out this session?'}
      confirmLabel={isOthers ? 'Sign out others' : 'Sign out session'}
      onClose={onClose}
      onConfirm={(api) =>
        isOthers ? api.sessions.removeOthers() : api.sessions.remove(selected.id)
      }
      reloads={['sessions']}
    >
      {isOthers
        ? 'You stay signed in here. All other browsers will have to sign in again.'
        : `${describeDevice(selected.userAgent)} at ${selected.ip} will have to sign in again.`}
    </ConfirmDialog>
  )
}
