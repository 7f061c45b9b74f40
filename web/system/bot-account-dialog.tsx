import { FileInput, NativeSelect, Text } from '@mantine/core'
import { useState } from 'react'
import type { WireAddedBotAccount } from '../../src/http/shapes/bot-accounts.ts'
import { ACCOUNT_PLATFORMS } from '../../src/http/shapes/values.ts'
import { useApi } from '../api/app-state.tsx'
import { PLATFORM_LABELS } from '../meetings/meeting-labels.ts'
import { Dialog } from '../ui/dialogs/dialog.tsx'
import { TextField } from '../ui/forms/fields.tsx'
import { Form, readFormText, useFieldError } from '../ui/forms/form.tsx'
import { FormButtons } from '../ui/forms/form-buttons.tsx'
import { useAction } from '../ui/forms/use-action.ts'
import { useRefreshSystemQuery } from './queries.ts'

interface BotAccountDialogProps {
  onClose: () => void
  onAdded: (note: string) => void
}

/** Imports the cookies of a signed-in browser. A new sign-in needs a screen and is done on the command line. */
export function AddBotAccountDialog({ onClose, onAdded }: BotAccountDialogProps) {
  const api = useApi()
  const refresh = useRefreshSystemQuery('botAccounts')
  const [file, setFile] = useState<File | null>(null)
  const action = useAction(async (values: FormData) => {
    const name = readFormText(values, 'name')
    const limit = readFormText(values, 'limit')
    const added = await api.system.addBotAccount({
      name,
      platform: readFormText(values, 'platform') as (typeof ACCOUNT_PLATFORMS)[number],
      state: (await file?.text()) ?? '',
      ...(limit && { limit: Number(limit) }),
    })
    await refresh()
    onAdded(addedMessage(name, added))
    onClose()
  })
  return (
    <Dialog title="Add bot account" onClose={onClose}>
      <Form action={action}>
        <Text size="sm">
          Upload a Playwright storage state: the cookies of a browser in which the account is signed
          in. Only the platform’s cookies are stored, encrypted.
        </Text>
        <TextField
          name="name"
          label="Name"
          description="If an account with this name exists, its sign-in is replaced"
          maxLength={64}
          hasAutofocus
        />
        <NativeSelect
          name="platform"
          label="Platform"
          data={ACCOUNT_PLATFORMS.map((value) => ({
            value,
            label: PLATFORM_LABELS[value],
          }))}
        />
        <TextField
          name="limit"
          label="Concurrent bots"
          description="Default: 1, or the current value"
          isOptional
        />
        <StateField file={file} onChange={setFile} />
        <FormButtons isRunning={action.isRunning} isDisabled={file === null} onCancel={onClose}>
          Add account
        </FormButtons>
      </Form>
    </Dialog>
  )
}

function StateField({
  file,
  onChange,
}: {
  file: File | null
  onChange: (file: File | null) => void
}) {
  return (
    <FileInput
      name="state"
      label="Storage state"
      placeholder="Choose a file"
      accept="application/json,.json"
      value={file}
      onChange={onChange}
      error={useFieldError('state')}
    />
  )
}

function addedMessage(name: string, { isNew, isSignedIn }: WireAddedBotAccount): string {
  const done = `${isNew ? 'Added' : 'Updated'} ${name}`
  return isSignedIn
    ? done
    : `${done}. It may not be signed in: no sign-in cookie was found. Try it in a meeting.`
}
