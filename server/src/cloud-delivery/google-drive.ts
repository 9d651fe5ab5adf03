import * as z from 'zod/mini'
import type { CloudApp } from '../platform/cloud-config.ts'
import { md5Hash } from './content-hash.ts'
import { openDriveFolder } from './drive-folder.ts'
import { parseReply, sendRequest } from './http.ts'
import { authorizeUrl, exchangeCode, refreshAccess } from './oauth.ts'
import { CloudError, type CloudProvider } from './provider.ts'

/**
 * Google Drive by its API, version 3 (https://developers.google.com/workspace/drive/api/reference/rest/v3), with OAuth for
 * web servers (https://developers.google.com/identity/protocols/oauth2/web-server). With `drive.file`, only files that
 * this pool created can be seen.
 */

const NAME = 'Google Drive'
const SCOPE = 'https://www.googleapis.com/auth/drive.file'

type Hosts = { accounts: string; oauth: string; api: string }

const hostsOf = (testUrl: string | undefined): Hosts =>
  testUrl === undefined
    ? {
        accounts: 'https://accounts.google.com/o/oauth2/v2/auth',
        oauth: 'https://oauth2.googleapis.com',
        api: 'https://www.googleapis.com',
      }
    : { accounts: `${testUrl}/google/auth`, oauth: `${testUrl}/google`, api: `${testUrl}/google` }

const about = z.object({
  user: z.object({ emailAddress: z.optional(z.string()), displayName: z.optional(z.string()) }),
})

export function googleDrive({ clientId, clientSecret }: CloudApp, testUrl: string | undefined): CloudProvider {
  const hosts = hostsOf(testUrl)
  const app = {
    ...{ provider: NAME, clientId, clientSecret },
    authorizeUrl: hosts.accounts,
    tokenUrl: `${hosts.oauth}/token`,
  }
  return {
    // Google sends a refresh token only when the member is asked: `prompt`.
    authorizeUrl: (request) => authorizeUrl(app, request, { scope: SCOPE, access_type: 'offline', prompt: 'consent' }),
    exchangeCode: async (exchange) => {
      const granted = await exchangeCode(app, exchange)
      const { access_token, expires_at, refresh_token, scope } = granted
      // Members can untick it on Google’s page.
      if (!scope?.split(' ').includes(SCOPE))
        throw new CloudError('revoked', 'The member did not allow access to files.')
      if (refresh_token === undefined) throw new CloudError('rejected', 'Google sent no refresh token.')
      return { access_token, expires_at, refresh_token }
    },
    refresh: (refreshToken) => refreshAccess(app, refreshToken),
    revoke: async ({ refresh_token }) => {
      const body = new URLSearchParams({ token: refresh_token })
      const { status } = await sendRequest(NAME, { method: 'POST', url: `${hosts.oauth}/revoke`, body })
      // 400 for a token that is no longer valid.
      if (status !== 200 && status !== 400)
        throw new CloudError('unavailable', `Google did not revoke the access (${status}).`)
    },
    accountName: async (accessToken) => {
      const { status, text } = await sendRequest(NAME, {
        method: 'GET',
        url: `${hosts.api}/drive/v3/about?fields=user(emailAddress,displayName)`,
        headers: { authorization: `Bearer ${accessToken}` },
      })
      if (status !== 200)
        throw new CloudError('rejected', `Google rejected a request (${status}). Is the Google Drive API enabled?`)
      const { user } = parseReply(NAME, about, text)
      return user.emailAddress ?? user.displayName ?? 'Google Drive'
    },
    openFolder: (accessToken, folderName, signal) =>
      openDriveFolder({ api: hosts.api, accessToken, signal }, folderName),
    createHash: md5Hash,
  }
}
