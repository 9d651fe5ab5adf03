import { randomUUID } from 'node:crypto'
import type { AppContext } from '../app-context.ts'
import { type AccessToken, CloudError, type CloudProvider, type CloudTokens } from './provider.ts'

/** Tokens are encrypted with a key that only this pool has, and each with an owner: copied to another row, they cannot be read. */
export type SealedTokens = { tokens: Buffer; token_owner: string }

const PURPOSE = 'cloud storage'

type Deps = Pick<AppContext, 'encryption'>

export function sealTokens({ encryption }: Deps, tokens: CloudTokens, owner: string = randomUUID()): SealedTokens {
  return {
    tokens: encryption.seal(PURPOSE, owner, Buffer.from(JSON.stringify(tokens))),
    token_owner: owner,
  }
}

/** Throws CloudError `revoked` for tokens that were encrypted with another secret. */
export function openTokens({ encryption }: Deps, { tokens, token_owner }: SealedTokens): CloudTokens {
  const opened = encryption.open(PURPOSE, token_owner, tokens)
  if (!opened) throw new CloudError('revoked', 'The tokens were encrypted with another SECRET.')
  return JSON.parse(String(opened)) as CloudTokens
}

/** An upload's URL or id allows to write to it, so it is encrypted too. */
export const sealUpload = ({ encryption }: Deps, fileId: number, upload: string): Buffer =>
  encryption.seal('cloud upload', String(fileId), Buffer.from(upload))

/** Undefined if it was encrypted with another secret: the upload then begins again. */
export const openUpload = ({ encryption }: Deps, fileId: number, sealed: Buffer): string | undefined =>
  encryption.open('cloud upload', String(fileId), sealed)?.toString()

type ConnectionTokens = SealedTokens & { connection_id: number }

/** Returns the access token of a connection, a new one if it has expired. Throws the errors of `refresh`. */
export async function findAccessToken(
  ctx: Pick<AppContext, 'sql' | 'encryption'>,
  provider: CloudProvider,
  connection: ConnectionTokens,
): Promise<string> {
  const { access_token, expires_at } = openTokens(ctx, connection)
  return expires_at > Date.now() ? access_token : renewAccessToken(ctx, provider, connection)
}

/** Requests a new access token and stores it, unless the member has connected again since. */
export async function renewAccessToken(
  ctx: Pick<AppContext, 'sql' | 'encryption'>,
  provider: CloudProvider,
  connection: ConnectionTokens,
): Promise<string> {
  const { refresh_token } = openTokens(ctx, connection)
  const renewed: AccessToken = await provider.refresh(refresh_token)
  const { tokens } = sealTokens(ctx, { ...renewed, refresh_token }, connection.token_owner)
  await ctx.sql`
    update cloud_connection set tokens = ${tokens}
    where connection_id = ${connection.connection_id} and token_owner = ${connection.token_owner}`
  return renewed.access_token
}
