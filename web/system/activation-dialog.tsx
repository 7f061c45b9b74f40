import { Checkbox, Stack, Text } from '@mantine/core'
import type { ApiUserWithLiveTokenCount } from '../../src/http/shapes/account.ts'
import { useApi, useReload } from '../api/use-api.tsx'
import { Dialog } from '../ui/dialogs.tsx'
import { formatCountWithNoun } from '../ui/format/format-text.ts'
import { Form, FormButtons, useAction } from '../ui/forms.tsx'

interface ActivationDialogProps {
  person: ApiUserWithLiveTokenCount
  onClose: () => void
}

/** Deactivates a person, or reactivates one who is deactivated. */
export function ActivationDialog({ person, onClose }: ActivationDialogProps) {
  const api = useApi()
  const refresh = useReload('people', 'tokens')
  const isActive = person.deactivatedAt === null
  const { liveServiceTokens: count } = person
  const action = useAction(async (values: FormData) => {
    const tokens = values.has('revokeTokens') ? 'revoke' : undefined
    await api.users.update(person.id, { isActive: !isActive, tokens })
    await refresh()
    onClose()
  })
  return (
    <Dialog
      title={isActive ? `Deactivate ${person.name}?` : `Reactivate ${person.name}?`}
      onClose={onClose}
    >
      <Form action={action}>
        {isActive ? (
          <Stack gap="sm">
            <Text>
              They can no longer sign in. Their sessions, personal tokens and connected assistants
              end, their tasks and calendars pause, and their bots leave running meetings.
            </Text>
            <Text>Nothing is deleted, and you can reactivate them.</Text>
            {count > 0 && (
              <Checkbox
                name="revokeTokens"
                label={`Also revoke ${formatCountWithNoun(count, 'service token')} that they created`}
                description="Programs that use them lose access immediately. Otherwise they keep working."
                defaultChecked
              />
            )}
          </Stack>
        ) : (
          <Text>
            They can sign in again, with the same projects. Tokens, tasks and calendars that ended
            or paused stay that way until they create or resume them.
          </Text>
        )}
        <FormButtons isRunning={action.isRunning} onCancel={onClose}>
          {isActive ? 'Deactivate' : 'Reactivate'}
        </FormButtons>
      </Form>
    </Dialog>
  )
}
