import { useLocation } from 'wouter'
import { homePath } from '../lib/urls.ts'
import { ChangePin } from '../slices/account/ChangePin.tsx'
import { DeleteAccount } from '../slices/account/DeleteAccount.tsx'
import { DeviceList } from '../slices/account/DeviceList.tsx'
import { SignInMethods } from '../slices/account/methods/SignInMethods.tsx'
import { RecoveryCodes } from '../slices/account/RecoveryCodes.tsx'
import { SignInCode } from '../slices/account/SignInCode.tsx'
import { changePin } from '../slices/account/securityCommands.ts'
import { deleteAccount, makeSignInCode } from '../slices/session/accountCommands.ts'
import { readPin, rememberPin } from '../slices/session/sessionStore.ts'
import { InlineWallet } from '../slices/wallet/InlineWallet.tsx'
import { useSignText } from '../slices/wallet/signText.ts'

/** What a user can do with the account besides its wallets. */
export function AccountSections({ username }: { readonly username: string }) {
  const [, navigate] = useLocation()
  const signer = useSignText()
  const replacePin = async (pin: string, newPin: string) => {
    await changePin(username, pin, newPin)
    rememberPin(newPin)
  }
  const leave = async (pin: string) => {
    await deleteAccount(pin)
    navigate(homePath)
  }
  return (
    <>
      <SignInMethods username={username} signer={signer} walletControl={<InlineWallet />} />
      <ChangePin username={username} rememberedPin={readPin} onChange={replacePin} />
      <RecoveryCodes username={username} />
      <DeviceList username={username} />
      <SignInCode onMake={makeSignInCode} />
      <DeleteAccount username={username} onDelete={leave} />
    </>
  )
}
