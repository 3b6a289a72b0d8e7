#ifndef HP_LINK_OPENSSL_H
#define HP_LINK_OPENSSL_H

/*
 * The functions of OpenSSL. To load OpenSSL takes three times as long as all
 * else that hpexchange does before it connects, and only TCP needs it. If built
 * with LINK=static, openssl_load loads the library when TLS begins; the
 * Makefile defines OPENSSL as its file name. If built with LINK=shared,
 * programs are linked with OpenSSL, and OPENSSL is not defined.
 *
 * Include this header after all others. A new function needs a line in both
 * lists.
 */

#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/ssl.h>

#include "base/err.h"

/*
 * Loads OpenSSL. Call it before any other function of OpenSSL, and before
 * threads start. Does nothing if it is loaded. Fails with HP_IO.
 */
int openssl_load(struct hp_err *);

#ifdef OPENSSL
#define OPENSSL_FUNCTIONS(DO)                     \
	DO(BIO_ctrl)                              \
	DO(BIO_f_buffer)                          \
	DO(BIO_int_ctrl)                          \
	DO(BIO_new)                               \
	DO(BIO_push)                              \
	DO(BIO_test_flags)                        \
	DO(BIO_up_ref)                            \
	DO(ERR_clear_error)                       \
	DO(ERR_get_error)                         \
	DO(ERR_peek_error)                        \
	DO(ERR_reason_error_string)               \
	DO(EVP_MD_get_type)                       \
	DO(EVP_sha256)                            \
	DO(HMAC)                                  \
	DO(OPENSSL_init_crypto)                   \
	DO(SSL_CIPHER_find)                       \
	DO(SSL_CTX_ctrl)                          \
	DO(SSL_CTX_free)                          \
	DO(SSL_CTX_new)                           \
	DO(SSL_CTX_set_ciphersuites)              \
	DO(SSL_CTX_set_default_read_buffer_len)   \
	DO(SSL_CTX_set_num_tickets)               \
	DO(SSL_CTX_set_psk_find_session_callback) \
	DO(SSL_CTX_set_psk_use_session_callback)  \
	DO(SSL_SESSION_free)                      \
	DO(SSL_SESSION_new)                       \
	DO(SSL_SESSION_set1_master_key)           \
	DO(SSL_SESSION_set_cipher)                \
	DO(SSL_SESSION_set_protocol_version)      \
	DO(SSL_do_handshake)                      \
	DO(SSL_free)                              \
	DO(SSL_get_error)                         \
	DO(SSL_get_ex_data)                       \
	DO(SSL_get_rbio)                          \
	DO(SSL_has_pending)                       \
	DO(SSL_key_update)                        \
	DO(SSL_new)                               \
	DO(SSL_read_ex)                           \
	DO(SSL_session_reused)                    \
	DO(SSL_set0_wbio)                         \
	DO(SSL_set_accept_state)                  \
	DO(SSL_set_connect_state)                 \
	DO(SSL_set_ex_data)                       \
	DO(SSL_set_fd)                            \
	DO(SSL_set_verify)                        \
	DO(SSL_shutdown)                          \
	DO(SSL_write_ex)                          \
	DO(TLS_method)
#define OPENSSL_POINTER(function) __typeof__(function) *function;

extern struct openssl {
	OPENSSL_FUNCTIONS(OPENSSL_POINTER)
} openssl;

/* openssl.c itself needs the plain names. */
#ifndef OPENSSL_LOADER
#define BIO_ctrl (*openssl.BIO_ctrl)
#define BIO_f_buffer (*openssl.BIO_f_buffer)
#define BIO_int_ctrl (*openssl.BIO_int_ctrl)
#define BIO_new (*openssl.BIO_new)
#define BIO_push (*openssl.BIO_push)
#define BIO_test_flags (*openssl.BIO_test_flags)
#define BIO_up_ref (*openssl.BIO_up_ref)
#define ERR_clear_error (*openssl.ERR_clear_error)
#define ERR_get_error (*openssl.ERR_get_error)
#define ERR_peek_error (*openssl.ERR_peek_error)
#define ERR_reason_error_string (*openssl.ERR_reason_error_string)
#define EVP_MD_get_type (*openssl.EVP_MD_get_type)
#define EVP_sha256 (*openssl.EVP_sha256)
#define HMAC (*openssl.HMAC)
#define OPENSSL_init_crypto (*openssl.OPENSSL_init_crypto)
#define SSL_CIPHER_find (*openssl.SSL_CIPHER_find)
#define SSL_CTX_ctrl (*openssl.SSL_CTX_ctrl)
#define SSL_CTX_free (*openssl.SSL_CTX_free)
#define SSL_CTX_new (*openssl.SSL_CTX_new)
#define SSL_CTX_set_ciphersuites (*openssl.SSL_CTX_set_ciphersuites)
#define SSL_CTX_set_default_read_buffer_len \
	(*openssl.SSL_CTX_set_default_read_buffer_len)
#define SSL_CTX_set_num_tickets (*openssl.SSL_CTX_set_num_tickets)
#define SSL_CTX_set_psk_find_session_callback \
	(*openssl.SSL_CTX_set_psk_find_session_callback)
#define SSL_CTX_set_psk_use_session_callback \
	(*openssl.SSL_CTX_set_psk_use_session_callback)
#define SSL_SESSION_free (*openssl.SSL_SESSION_free)
#define SSL_SESSION_new (*openssl.SSL_SESSION_new)
#define SSL_SESSION_set1_master_key (*openssl.SSL_SESSION_set1_master_key)
#define SSL_SESSION_set_cipher (*openssl.SSL_SESSION_set_cipher)
#define SSL_SESSION_set_protocol_version \
	(*openssl.SSL_SESSION_set_protocol_version)
#define SSL_do_handshake (*openssl.SSL_do_handshake)
#define SSL_free (*openssl.SSL_free)
#define SSL_get_error (*openssl.SSL_get_error)
#define SSL_get_ex_data (*openssl.SSL_get_ex_data)
#define SSL_get_rbio (*openssl.SSL_get_rbio)
#define SSL_has_pending (*openssl.SSL_has_pending)
#define SSL_key_update (*openssl.SSL_key_update)
#define SSL_new (*openssl.SSL_new)
#define SSL_read_ex (*openssl.SSL_read_ex)
#define SSL_session_reused (*openssl.SSL_session_reused)
#define SSL_set0_wbio (*openssl.SSL_set0_wbio)
#define SSL_set_accept_state (*openssl.SSL_set_accept_state)
#define SSL_set_connect_state (*openssl.SSL_set_connect_state)
#define SSL_set_ex_data (*openssl.SSL_set_ex_data)
#define SSL_set_fd (*openssl.SSL_set_fd)
#define SSL_set_verify (*openssl.SSL_set_verify)
#define SSL_shutdown (*openssl.SSL_shutdown)
#define SSL_write_ex (*openssl.SSL_write_ex)
#define TLS_method (*openssl.TLS_method)
#endif
#endif

#endif
