import { Button } from '@mantine/core'
import {
  PasswordField,
  TextField,
  Form,
  readFormText,
  readUntrimmedFormText,
  useAction,
} from '../../ui/forms/form.tsx'

interface AccountFormValues {
  name: string
  email: string
  password: string
}

interface CreateAccountFormProps {
  initialEmail?: string | null
  onSubmit: (person: AccountFormValues) => Promise<void>
}

export function CreateAccountForm({ initialEmail, onSubmit }: CreateAccountFormProps) {
  const action = useAction((values: FormData) =>
    onSubmit({
      name: readFormText(values, 'name'),
      email: readFormText(values, 'email'),
      password: readUntrimmedFormText(values, 'password'),
    }),
  )
  return (
    <Form action={action}>
      <TextField name="name" label="Name" autoComplete="name" maxLength={100} autoFocus />
      <TextField
        name="email"
        label="Email"
        type="email"
        autoComplete="username"
        maxLength={254}
        defaultValue={initialEmail ?? ''}
        description="You use it to sign in."
      />
      <PasswordField name="password" label="Password" autoComplete="new-password" />
      <Button type="submit" loading={action.isRunning} mt="xs">
        Create account
      </Button>
    </Form>
  )
}
