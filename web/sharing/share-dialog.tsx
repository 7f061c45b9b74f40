import { Text, Stack, Title, NativeSelect } from '@mantine/core'
import { useState } from 'react'
import type { ApiCreatedShare } from '../../src/http/shapes/shares.ts'
import { ApiError } from '../api/api-error.ts'
import { type SharedSubject, useShares, ShareList } from './share-list.tsx'
import { Dialog } from '../ui/dialogs.tsx'
import { QueryView } from '../ui/feedback/feedback.tsx'
import { FormButtons, Form, readFormText, readUntrimmedFormText, useRequest } from '../ui/forms.tsx'
import { CreatedLink } from '../ui/copy.tsx'
import { SecretField } from '../ui/fields.tsx'

/** Creates, lists and revokes read-only links. A new link exists only in this dialog's state. */
export function ShareDialog({ subject, onClose }: { subject: SharedSubject; onClose: () => void }) {
  const query = useShares(subject)
  const [created, setCreated] = useState<ApiCreatedShare | null>(null)
  const isForbidden = query.error instanceof ApiError && query.error.status === 403
  const shown = 'meetingId' in subject ? 'the recap and the transcript' : 'the current text'
  return (
    <Dialog title="Share by link" size="lg" onClose={onClose} isPersistent={created !== null}>
      {isForbidden ? (
        <Text>
          Only owners of the project can share it, and administrators if it is a team project. Ask
          one of them.
        </Text>
      ) : (
        <QueryView query={query} label="the links">
          {({ shares, isOn }) => (
            <Stack gap="lg">
              {isOn ? (
                <Text size="sm">
                  Anyone with the link can read {shown}, without an account, until it expires or you
                  revoke it. They can’t see anything else.
                </Text>
              ) : (
                <Text>
                  Share links are turned off on this instance, so none of these links work.
                </Text>
              )}
              {isOn && created && (
                <CreatedLink
                  label="New link"
                  description="It is shown only once. Copy it before you close this dialog."
                  link={created.url}
                  onDone={onClose}
                />
              )}
              {isOn && !created && (
                <NewShareForm subject={subject} onCreated={setCreated} onCancel={onClose} />
              )}
              {shares.length === 0 ? (
                <Text size="sm">No links yet.</Text>
              ) : (
                <Stack gap="sm">
                  <Title order={3} size="h5">
                    Links
                  </Title>
                  <ShareList
                    owner={subject}
                    shares={shares}
                    onRevoked={(id) =>
                      setCreated((one) => (one?.share.shareId === id ? null : one))
                    }
                  />
                </Stack>
              )}
            </Stack>
          )}
        </QueryView>
      )}
    </Dialog>
  )
}

const EXPIRY_OPTIONS = [
  { value: '1', label: 'In one day' },
  { value: '7', label: 'In 7 days' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In one year' },
]

interface NewShareFormProps {
  subject: SharedSubject
  onCreated: (created: ApiCreatedShare) => void
  onCancel: () => void
}

function NewShareForm({ subject, onCreated, onCancel }: NewShareFormProps) {
  const action = useRequest(
    async (api, values: FormData) => {
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
    },
    ['shares'],
  )
  return (
    <Form action={action}>
      <NativeSelect name="days" label="Expires" defaultValue="30" data={EXPIRY_OPTIONS} />
      <SecretField
        name="password"
        label="Password"
        description="Optional, at least 8 characters. Don’t send it together with the link."
        autoComplete="new-password"
        maxLength={200}
        isOptional
      />
      <FormButtons isRunning={action.isRunning} onCancel={onCancel}>
        Create link
      </FormButtons>
    </Form>
  )
}
