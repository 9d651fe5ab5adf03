import { vi } from 'vitest'

type Headers = Record<string, string>

/** As much of XMLHttpRequest as an upload needs, made with `fetch`, which is the fake API's. */
class FakeXMLHttpRequest extends EventTarget {
  readonly upload = new EventTarget()
  responseType = ''
  status = 0
  response: unknown = null
  #url = ''
  #method = ''
  readonly #headers: Headers = {}

  open(method: string, url: string) {
    this.#method = method
    this.#url = url
  }

  setRequestHeader(name: string, value: string) {
    this.#headers[name] = value
  }

  async send(body: FormData) {
    try {
      const reply = await fetch(this.#url, { method: this.#method, headers: this.#headers, body })
      this.status = reply.status
      this.response = await reply.json()
      this.dispatchEvent(new Event('load'))
    } catch {
      this.dispatchEvent(new Event('error'))
    }
  }
}

/** Has uploads whose progress is shown go to the fake API too. Undo it with `vi.unstubAllGlobals()`. */
export const fakeUploads = () => vi.stubGlobal('XMLHttpRequest', FakeXMLHttpRequest)
