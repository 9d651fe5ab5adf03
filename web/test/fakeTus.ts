import { uploads } from '@dubplate/contract'
import { onTestFinished, vi } from 'vitest'

type TusRequest = {
  method: string
  isAborted: boolean
  reply: (status: number, headers?: Headers) => void
  /** Reports so many bytes of the request as sent. */
  progress: (loaded: number) => void
}
type Headers = Record<string, string>

/** The upload_id that the server assigns to a completed file. */
export const UPLOADED_ID = 51

/**
 * Replaces the server of resumable uploads until the end of the test. An upload starts at once and is complete when
 * `complete` is called.
 */
export function fakeTus() {
  const requests: TusRequest[] = []
  const chunk = () => requests.findLast(({ method, isAborted }) => method === 'PATCH' && !isAborted)

  class FakeXMLHttpRequest {
    readonly upload: { onprogress?: (progress: object) => void } = {}
    status = 0
    responseText = ''
    onload?: () => void
    onerror?: (error: Error) => void
    #request: TusRequest | undefined
    #headers: Headers = {}

    open(method: string) {
      const reply = (status: number, headers: Headers = {}) => {
        this.status = status
        this.#headers = headers
        this.onload?.()
      }
      const progress = (loaded: number) => this.upload.onprogress?.({ lengthComputable: true, loaded })
      this.#request = { method, isAborted: false, reply, progress }
    }

    setRequestHeader() {}

    getResponseHeader(name: string) {
      return this.#headers[name.toLowerCase()] ?? null
    }

    send() {
      const request = this.#request!
      requests.push(request)
      if (request.method === 'POST') request.reply(201, { location: `${uploads.RESUMABLE_PATH}/7` })
      else if (request.method !== 'PATCH') request.reply(204)
    }

    abort() {
      this.#request!.isAborted = true
    }
  }

  vi.stubGlobal('XMLHttpRequest', FakeXMLHttpRequest)
  onTestFinished(() => void vi.unstubAllGlobals())
  return {
    requests,
    /** The request that sends bytes now. */
    chunk,
    complete: (bytes: number) =>
      chunk()?.reply(204, { 'upload-offset': `${bytes}`, 'upload-id-of-file': `${UPLOADED_ID}` }),
  }
}
