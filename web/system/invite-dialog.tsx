import { Button, Group, Radio, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { WireCreatedInvitation } from '../../src/http/shapes/account.ts'
import { ROLES, type Role } from '../../src/http/shapes/values.ts'
import { ROLE_DESCRIPTIONS } from '../account/account-labels.ts'
import { useApi } from '../api/app-state.tsx'
import { CopyField } from '../ui/copy/copy-field.tsx'
import { Dialog } from '../ui/dialogs/dialog.tsx'
import { TextField } from '../ui/forms/fields.tsx'
import { Form, readFormText } from '../ui/forms/form.tsx'
import { FormButtons } from '../ui/forms/form-buttons.tsx'
import { Time } from '../ui/format/time.tsx'
import { useAction } from '../ui/forms/use-action.ts'
import { useRefreshSystemQuery } from './queries.ts'

/** Creates an invitation link. It exists only in this dialog's state, because anyone who has it can join. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const [created, setCreated] = useState<WireCreatedInvitation | null>(null)
  return (
    <Dialog
      title={created ? 'Invitation link' : 'Invite a person'}
      isPersistent={created !== null}
      onClose={onClose}
    >
      {created ? (
        <CreatedLink created={created} onDone={onClose} />
      ) : (
        <InviteForm onCreated={setCreated} onCancel={onClose} />
      )}
    </Dialog>
  )
}

interface InviteFormProps {
  onCreated: (answer: WireCreatedInvitation) => void
  onCancel: () => void
}

function InviteForm({ onCreated, onCancel }: InviteFormProps) {
  const api = useApi()
  const refresh = useRefreshSystemQuery('people')
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
        description="Optional. Without it, anyone with the link can use it once. Hansard does not send email."
        autoComplete="off"
        isOptional
        hasAutofocus
      />
      <Radio.Group name="role" label="Role" defaultValue="member">
        <Stack mt="xs" gap="xs">
          {ROLES.toReversed().map((role) => (
            <Radio key={role} value={role} label={ROLE_DESCRIPTIONS[role]} />
          ))}
        </Stack>
      </Radio.Group>
      <FormButtons isRunning={action.isRunning} onCancel={onCancel}>
        Create link
      </FormButtons>
    </Form>
  )
}

function CreatedLink({ created, onDone }: { created: WireCreatedInvitation; onDone: () => void }) {
  return (
    <Stack>
      <Text>
        Send this link to the person. It is shown only once, works only once, and expires{' '}
        <Time at={created.invitation.expiresAt} show="relative" />.
      </Text>
      <CopyField label="Link" value={created.link} what="link" hasAutofocus />
      <Group justify="flex-end">
        <Button onClick={onDone}>Done</Button>
      </Group>
    </Stack>
  )
}
