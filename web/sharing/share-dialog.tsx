import { Button, Group, Stack, Text, Title } from '@mantine/core'
import { useState } from 'react'
import type { WireCreatedShare } from '../../src/http/shapes/shares.ts'
import { ApiError } from '../api/api-error.ts'
import { CopyField } from '../ui/copy/copy-field.tsx'
import { Dialog } from '../ui/dialogs/dialog.tsx'
import { QueryView } from '../ui/feedback/query-view.tsx'
import { NewShareForm } from './new-share-form.tsx'
import { useShares, type SharedSubject } from './queries.ts'
import { ShareList } from './share-list.tsx'

interface ShareDialogProps {
  subject: SharedSubject
  onClose: () => void
}

/** Creates, lists and revokes read-only links. A new link exists only in this dialog's state. */
export function ShareDialog({ subject, onClose }: ShareDialogProps) {
  const query = useShares(subject)
  const [created, setCreated] = useState<WireCreatedShare | null>(null)
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
              {isOn && created && <CreatedShare created={created} onDone={onClose} />}
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

function CreatedShare({ created, onDone }: { created: WireCreatedShare; onDone: () => void }) {
  return (
    <Stack gap="sm">
      <CopyField
        label="New link"
        description="It is shown only once. Copy it before you close this dialog."
        value={created.url}
        what="link"
        hasAutofocus
      />
      <Group justify="flex-end">
        <Button onClick={onDone}>Done</Button>
      </Group>
    </Stack>
  )
}
