#include <errno.h>

#include "link/tlsreason.h"

#include "link/openssl.h"

/* Error reasons above this number are alerts that the peer has sent. */
enum {
	ALERT_REASONS = SSL_AD_REASON_OFFSET
};

const char *
tls_reason(bool ready, int *errnum)
{
	unsigned long code = ERR_peek_error();
	int reason = ERR_GET_REASON(code);
	const char *text = ERR_reason_error_string(code);

	ERR_clear_error();
	*errnum = ECONNRESET;
	if (reason == SSL_R_UNEXPECTED_EOF_WHILE_READING)
		return ready ? "the connection was cut off" : TLS_CLOSED;
	/*
	 * A peer that completed the handshake has the key and follows the
	 * protocol. So the bytes were damaged on the way.
	 */
	if (ready)
		return reason > ALERT_REASONS ? "received damaged data"
					      : "sent damaged data";
	*errnum = EACCES;
	/* The peer sends this alert if it has no key of that name. */
	if (reason == SSL_R_SSLV3_ALERT_HANDSHAKE_FAILURE)
		return "expects another node, or has no key";
	if (reason == SSL_R_BINDER_DOES_NOT_VERIFY || reason > ALERT_REASONS)
		return "has another key";
	/*
	 * If the peer offers no key, OpenSSL authenticates with a certificate
	 * instead. There is none, so OpenSSL reports this error.
	 */
	if (reason == SSL_R_NO_SUITABLE_SIGNATURE_ALGORITHM)
		return "has no key";
	if (reason == SSL_R_WRONG_VERSION_NUMBER ||
	    reason == SSL_R_HTTP_REQUEST)
		return "does not speak TLS";
	return text != NULL ? text : "violates the TLS protocol";
}
