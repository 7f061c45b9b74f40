import { NativeSelect, PasswordInput } from '@mantine/core'
import type { WireCreatedShare } from '../../src/http/shapes/shares.ts'
import { useApi } from '../api/app-state.tsx'
import { Form, readFormText, readUntrimmedFormText, useFieldError } from '../ui/forms/form.tsx'
import { FormButtons } from '../ui/forms/form-buttons.tsx'
import { useAction } from '../ui/forms/use-action.ts'
import { useReload } from '../api/queries.ts'
import type { SharedSubject } from './queries.ts'

const EXPIRY_OPTIONS = [
  { value: '1', label: 'In one day' },
  { value: '7', label: 'In 7 days' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In one year' },
]

interface NewShareFormProps {
  subject: SharedSubject
  onCreated: (created: WireCreatedShare) => void
  onCancel: () => void
}

export function NewShareForm({ subject, onCreated, onCancel }: NewShareFormProps) {
  const api = useApi()
  const reload = useReload('shares')
  const action = useAction(async (values: FormData) => {
    const password = readUntrimmedFormText(values, 'password')
    const body = {
      days: Number(readFormText(values, 'days')),
      password: password === '' ? undefined : password,
    }
    onCreated(
      'meetingId' in subject
        ? await api.meetings.share(subject.meetingId, body)
        : await api.projects.shareDocument(subject.project, { ...body, path: subject.path }),
    )
    await reload()
  })
  return (
    <Form action={action}>
      <NativeSelect name="days" label="Expires" defaultValue="30" data={EXPIRY_OPTIONS} />
      <OptionalPasswordField />
      <FormButtons isRunning={action.isRunning} onCancel={onCancel}>
        Create link
      </FormButtons>
    </Form>
  )
}

function OptionalPasswordField() {
  return (
    <PasswordInput
      name="password"
      label="Password"
      description="Optional, at least 8 characters. Don’t send it together with the link."
      error={useFieldError('password')}
      autoComplete="new-password"
      maxLength={200}
      visibilityToggleFocusable
      visibilityToggleButtonProps={{ 'aria-label': 'Show characters' }}
    />
  )
}
