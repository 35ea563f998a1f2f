const untrusted = 'its certificate is not trusted';

/** What went wrong on the way to the service, by the code of the error, in words for an operator. */
const words: ReadonlyMap<string, string> = new Map(
  Object.entries({
    CERT_HAS_EXPIRED: 'its certificate has expired',
    DEPTH_ZERO_SELF_SIGNED_CERT: untrusted,
    EAI_AGAIN: 'DNS does not answer',
    ECONNREFUSED: 'connections are refused',
    ECONNRESET: 'the other side has reset it',
    EHOSTUNREACH: 'there is no way to it',
    ENETUNREACH: 'there is no way to it',
    ENOTFOUND: 'DNS does not know its name',
    HTTPParserError: 'it is no HTTP',
    EPIPE: 'the other side has closed it',
    ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
    ETIMEDOUT: 'it took too long',
    SELF_SIGNED_CERT_IN_CHAIN: untrusted,
    UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
    UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
    UND_ERR_BODY_TIMEOUT: 'the answer took too long',
    UND_ERR_CONNECT_TIMEOUT: 'it took too long',
    UND_ERR_HEADERS_OVERFLOW: 'its headers are too large',
    UND_ERR_HEADERS_TIMEOUT: 'the answer took too long',
    UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'its length is not what it says',
    UND_ERR_SOCKET: 'the other side has closed it',
  }),
);

/** Whether what came is no HTTP, or more than is taken: nothing on the way has failed. */
export function isUnreadable(error: Error): boolean {
  return ['HTTPParserError', 'UND_ERR_HEADERS_OVERFLOW', 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH'].includes(
    codeOf(error),
  );
}

/** The message of the error may hold more than is good to keep; a code that is not known here stands for itself. */
export function networkWords(error: Error): string {
  const code = codeOf(error);
  return words.get(code) ?? code;
}

function codeOf(error: Error): string {
  const isNamed = 'code' in error && typeof error.code === 'string' && error.name !== 'HTTPParserError';
  return isNamed ? String(error.code) : error.name;
}
