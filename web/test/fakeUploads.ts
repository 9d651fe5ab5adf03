import { vi } from 'vitest'

type Headers = Record<string, string>

/** The part of XMLHttpRequest that an upload needs, based on `fetch` and therefore the fake API. */
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

/** Sends uploads with progress to the fake API too. Undo it with `vi.unstubAllGlobals()`. */
export const fakeUploads = () => vi.stubGlobal('XMLHttpRequest', FakeXMLHttpRequest)
