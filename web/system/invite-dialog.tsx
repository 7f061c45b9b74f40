import { Button, Group, Radio, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { WireCreatedInvitation } from '../../src/http/shapes/account.ts'
import { useApi } from '../api/app-state.tsx'
import { CopyField } from '../ui/copy/copy-field.tsx'
import { Dialog } from '../ui/dialogs/dialog.tsx'
import { TextField } from '../ui/forms/fields.tsx'
import { Form, readFormText } from '../ui/forms/form.tsx'
import { FormButtons } from '../ui/forms/form-buttons.tsx'
import { Time } from '../ui/format/time.tsx'
import { useAction } from '../ui/forms/use-action.ts'
import { useRefreshSystem } from './queries.ts'

/** The link lives in this dialog only: whoever has it may join. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const [created, setCreated] = useState<WireCreatedInvitation | null>(null)
  return (
    <Dialog
      title={created ? 'Invitation link' : 'Invite somebody'}
      isSticky={created !== null}
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
  const refresh = useRefreshSystem('people')
  const action = useAction(async (values: FormData) => {
    const email = readFormText(values, 'email').trim()
    const body = { role: readFormText(values, 'role'), ...(email && { email }) }
    onCreated(await api.post<WireCreatedInvitation>('/web/invitations', body))
    void refresh()
  })
  return (
    <Form action={action}>
      <TextField
        name="email"
        label="E-mail"
        type="email"
        description="May stay empty: then anyone with the link can use it, once. No mail is sent."
        autoComplete="off"
        isOptional
        isFirst
      />
      <Radio.Group name="role" label="Role" defaultValue="member">
        <Stack mt="xs" gap="xs">
          <Radio value="member" label="Member" />
          <Radio value="admin" label="Administrator, can invite and remove people" />
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
        Give this link to the person. It is shown once, works once, and ends{' '}
        <Time at={created.invitation.expiresAt} show="distance" />.
      </Text>
      <CopyField label="Link" value={created.link} what="link" isFirst />
      <Group justify="flex-end">
        <Button onClick={onDone}>Done</Button>
      </Group>
    </Stack>
  )
}
