import { Stack, Button, Text, Group, Badge } from '@mantine/core'
import { useState } from 'react'
import type {
  ApiInvitation,
  ApiCreatedInvitation,
  ApiUserWithLiveTokenCount,
} from '../../src/http/shapes/account.ts'
import { type Role } from '../../src/http/shapes/values.ts'
import { ROLE_LABELS, ROLE_OPTIONS } from '../account/account-labels.ts'
import { useAppState, useApi, useSignedInUser, useReload } from '../api/use-api.tsx'
import { EditUserDialog, RemoveUserDialog } from './user-dialogs.tsx'
import { usePeople } from './queries.ts'
import { ConfirmDialog, Dialog } from '../ui/dialogs.tsx'
import { QueryView } from '../ui/feedback/feedback.tsx'
import { ActivationDialog } from './activation-dialog.tsx'
import { Time } from '../ui/format/time.tsx'
import { FormButtons, Form, readFormText, useAction } from '../ui/forms.tsx'
import { SectionHeader } from '../ui/layout.tsx'
import { type Column, DataTable, RowButton } from '../ui/tables/data-table.tsx'
import { TextField, RadioField } from '../ui/fields.tsx'
import { CreatedLink } from '../ui/copy.tsx'

export function PeopleTab() {
  const query = usePeople()
  const [isInviting, setInviting] = useState(false)
  // An invitation creates an account with a password.
  const { hasLocal } = useAppState().signIn
  return (
    <Stack gap="lg">
      <SectionHeader title="People" description="Everyone who can sign in to this console.">
        {hasLocal && <Button onClick={() => setInviting(true)}>Invite</Button>}
      </SectionHeader>
      <QueryView query={query} label="the people">
        {({ users, invitations }) => (
          <Stack gap="lg">
            <UserTable users={users} />
            <SectionHeader
              title="Pending invitations"
              description="Invitation links that have not been used yet."
            />
            {invitations.length > 0 ? (
              <InvitationTable invitations={invitations} />
            ) : (
              <Text>No pending invitations.</Text>
            )}
          </Stack>
        )}
      </QueryView>
      {isInviting && <InviteDialog onClose={() => setInviting(false)} />}
    </Stack>
  )
}

const INVITATION_COLUMNS: [Column<ApiInvitation>, ...Column<ApiInvitation>[]] = [
  { header: 'For', cell: inviteeLabel },
  { header: 'Role', cell: ({ role }) => ROLE_LABELS[role] },
  { header: 'Created', cell: ({ createdAt }) => <Time at={createdAt} show="minute" /> },
  { header: 'Expires', cell: ({ expiresAt }) => <Time at={expiresAt} show="relative" /> },
]

function InvitationTable({ invitations }: { invitations: ApiInvitation[] }) {
  const [selected, setSelected] = useState<ApiInvitation | null>(null)
  return (
    <>
      <DataTable
        caption="Pending invitations"
        rows={invitations}
        columns={INVITATION_COLUMNS}
        rowMenu={(row) => ({ id: row.id, rowName: `the invitation for ${inviteeLabel(row)}` })}
        renderActions={(invitation) => (
          <RowButton
            label="Revoke"
            ariaLabel={`Revoke invitation for ${inviteeLabel(invitation)}`}
            onClick={() => setSelected(invitation)}
          />
        )}
      />
      {selected && (
        <ConfirmDialog
          title={`Revoke the invitation for ${inviteeLabel(selected)}?`}
          confirmLabel="Revoke invitation"
          onClose={() => setSelected(null)}
          onConfirm={(api) => api.invitations.remove(selected.id)}
          reloads={['people']}
        >
          The invitation link for {inviteeLabel(selected)} stops working immediately.
        </ConfirmDialog>
      )}
    </>
  )
}

function inviteeLabel({ email }: ApiInvitation): string {
  return email ?? 'anyone with the link'
}

/** Creates an invitation link. It exists only in this dialog's state, because anyone who has it can join. */
function InviteDialog({ onClose }: { onClose: () => void }) {
  const [created, setCreated] = useState<ApiCreatedInvitation | null>(null)
  return (
    <Dialog
      title={created ? 'Invitation link' : 'Invite a person'}
      isPersistent={created !== null}
      onClose={onClose}
    >
      {created ? (
        <CreatedLink label="Link" link={created.link} onDone={onClose}>
          {created.isMailed && <Text>The link is on its way to {created.invitation.email}.</Text>}
          <Text>
            {created.isMailed ? 'You can also send it yourself.' : 'Send this link to the person.'}{' '}
            It is shown only once, works only once, and expires{' '}
            <Time at={created.invitation.expiresAt} show="relative" />.
          </Text>
        </CreatedLink>
      ) : (
        <InviteForm onCreated={setCreated} onCancel={onClose} />
      )}
    </Dialog>
  )
}

interface InviteFormProps {
  onCreated: (answer: ApiCreatedInvitation) => void
  onCancel: () => void
}

function InviteForm({ onCreated, onCancel }: InviteFormProps) {
  const api = useApi()
  const refresh = useReload('people')
  const { hasMail } = useAppState()
  const action = useAction(async (values: FormData) => {
    const email = readFormText(values, 'email') || undefined
    const role = readFormText(values, 'role') as Role
    onCreated(await api.invitations.create({ role, email }))
    void refresh()
  })
  return (
    <Form action={action}>
      <TextField
        name="email"
        label="Email"
        type="email"
        description={`Optional. Without it, anyone with the link can use it once. ${hasMail ? 'With it, Hansard mails the link to this address.' : 'Hansard does not send email.'}`}
        isOptional
        hasAutofocus
      />
      <RadioField name="role" label="Role" defaultValue="member" options={ROLE_OPTIONS} />
      <FormButtons isRunning={action.isRunning} onCancel={onCancel}>
        Create link
      </FormButtons>
    </Form>
  )
}

const USER_COLUMNS: [Column<ApiUserWithLiveTokenCount>, ...Column<ApiUserWithLiveTokenCount>[]] = [
  { header: 'Name', cell: (user) => <PersonName user={user} /> },
  { header: 'Email', cell: ({ email }) => <span className="break-anywhere">{email}</span> },
  { header: 'Role', cell: ({ role }) => ROLE_LABELS[role] },
  { header: 'Joined', cell: ({ createdAt }) => <Time at={createdAt} show="day" /> },
]

function UserTable({ users }: { users: ApiUserWithLiveTokenCount[] }) {
  const me = useSignedInUser()
  const [edited, setEdited] = useState<ApiUserWithLiveTokenCount | null>(null)
  const [selected, setSelected] = useState<ApiUserWithLiveTokenCount | null>(null)
  const [switched, setSwitched] = useState<ApiUserWithLiveTokenCount | null>(null)
  return (
    <>
      <DataTable
        caption="People"
        rows={users}
        columns={USER_COLUMNS}
        rowMenu={({ id, name }) => ({ id, rowName: name })}
        renderActions={(user) => (
          <>
            <RowButton label="Edit" of={user.name} onClick={() => setEdited(user)} />
            {user.id !== me.id && (
              <>
                <RowButton
                  label={user.deactivatedAt === null ? 'Deactivate' : 'Reactivate'}
                  of={user.name}
                  onClick={() => setSwitched(user)}
                />
                <RowButton label="Remove" of={user.name} onClick={() => setSelected(user)} />
              </>
            )}
          </>
        )}
      />
      {switched && <ActivationDialog person={switched} onClose={() => setSwitched(null)} />}
      {edited && <EditUserDialog person={edited} onClose={() => setEdited(null)} />}
      {selected && <RemoveUserDialog person={selected} onClose={() => setSelected(null)} />}
    </>
  )
}

function PersonName({ user }: { user: ApiUserWithLiveTokenCount }) {
  const me = useSignedInUser()
  return (
    <Group gap="xs">
      <span>{user.name}</span>
      {user.id === me.id && <Badge variant="outline">You</Badge>}
      {user.deactivatedAt !== null && <Badge color="gray">Deactivated</Badge>}
    </Group>
  )
}
