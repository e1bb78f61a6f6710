// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {TokenBoost} from "../TokenBoost.sol";
import {deployBoost} from "./BoostTest.t.sol";
import {Handler} from "./Handler.t.sol";
import {PlainToken} from "./Tokens.t.sol";
import {vm} from "./Vm.t.sol";

/// @dev What holds whatever anybody does. Payment tokens of 0, 6 and 18 decimals.
contract InvariantsTest {
    Handler private handler;
    TokenBoost private boost;
    address[3] private paymentTokens;

    function setUp() external {
        vm.warp(1_800_000_000);
        paymentTokens = [address(new PlainToken(0)), address(new PlainToken(6)), address(new PlainToken(18))];
        boost = deployBoost(address(0x0123), paymentTokens[1], 25_000_000);
        handler = new Handler(boost, paymentTokens);
        for (uint256 i = 0; i < 3; ++i) handler.setPaymentToken(i, 1);
    }

    function targetContracts() external view returns (address[] memory only) {
        only = new address[](1);
        only[0] = address(handler);
    }

    /// @dev What is never tried is never found wrong: an even walk as long as those of `npm run bench -- invariants` gets this far.
    function test_aWalkGetsFar() external {
        for (uint256 i = 0; i < 500; ++i) {
            uint256 dice = uint256(keccak256(abi.encode(i)));
            (uint256 kind, uint256 a, uint256 b, uint256 c) = (dice % 11, dice >> 8, dice >> 40, dice >> 72);
            if (kind == 0) handler.pass(a, b);
            if (kind == 1) handler.pay(a, b, c, dice >> 104);
            if (kind == 2) handler.claim(a, b);
            if (kind == 3) handler.refundAfterLongPause(a, b);
            if (kind == 4) handler.remove(a, b);
            if (kind == 5) handler.withdraw(a, b);
            if (kind == 6) handler.lose(a, b);
            if (kind == 7) handler.sweep(a);
            if (kind == 8) handler.announce(a, b, c);
            if (kind == 9) handler.setPaymentToken(a, b);
            if (kind == 10) handler.pauseOrGoOn(a);
        }
        string[7] memory kinds = ["pay", "claim", "refundAfterLongPause", "remove", "withdraw", "sweep", "pause"];
        uint8[7] memory least = [100, 10, 2, 4, 5, 10, 6];
        for (uint256 i = 0; i < 7; ++i) vm.assertTrue(handler.done(kinds[i]) >= least[i], kinds[i]);
        vm.assertTrue(handler.deepest() >= 20, "no long queue of payments");
        vm.assertTrue(handler.mostRemoved() >= 10, "no long queue removed");
        vm.assertTrue(handler.mostEndedByPayer() >= 10, "no long queue ended by a payer");
    }

    function invariant_theContractHoldsWhatItOwes() external view {
        for (uint256 i = 0; i < 3; ++i) {
            uint256 balance = PlainToken(paymentTokens[i]).balanceOf(address(boost));
            vm.assertTrue(balance >= boost.held(paymentTokens[i]), "holds less than it owes");
        }
    }

    function invariant_whatIsOwedEqualsUnearnedFeesPlusEarnedFeesPlusRefunds() external view {
        for (uint256 i = 0; i < 3; ++i) {
            address paymentToken = paymentTokens[i];
            uint256 owed = unearned(paymentToken) + boost.earnedFees(paymentToken) + refunds(paymentToken);
            vm.assertEq(boost.held(paymentToken), owed, "held is not the sum of its parts");
        }
    }

    function invariant_refundsAndFeesAddUpToWhatWasPaid() external view {
        for (uint256 i = 0; i < 3; ++i) {
            address paymentToken = paymentTokens[i];
            uint256 out = handler.withdrawn(paymentToken) + handler.claimed(paymentToken);
            vm.assertEq(handler.paid(paymentToken), out + boost.held(paymentToken), "money appeared or went");
        }
    }

    function invariant_feesNeverExceedWhatWasPaid() external view {
        for (uint256 i = 0; i < 3; ++i) {
            address paymentToken = paymentTokens[i];
            uint256 fees = handler.withdrawn(paymentToken) + boost.earnedFees(paymentToken);
            vm.assertTrue(fees <= handler.paid(paymentToken), "more fees than payments");
        }
    }

    function invariant_nobodyIsRefundedMoreThanTheyPaid() external view {
        for (uint256 i = 0; i < 12; ++i) {
            (address payer, address paymentToken) = (handler.payers(i % 4), paymentTokens[i % 3]);
            uint256 refunded = handler.claimedBy(payer, paymentToken) + boost.refundOf(payer, paymentToken);
            vm.assertTrue(refunded <= handler.paidBy(payer, paymentToken), "refunded more than was paid");
        }
    }

    function invariant_onlyARemovalMovesAnExpiryEarlier() external view {
        vm.assertFalse(handler.shrank());
    }

    function invariant_noBoostRunsDownInAPause() external view {
        vm.assertFalse(handler.ranInAPause());
    }

    function invariant_aSweepNeverTakesWhatIsOwed() external view {
        vm.assertFalse(handler.sweptOwed());
        for (uint256 i = 0; i < 3; ++i) {
            uint256 balance = PlainToken(paymentTokens[i]).balanceOf(address(boost));
            uint256 owed = boost.held(paymentTokens[i]) + handler.stray(paymentTokens[i]);
            vm.assertEq(balance, owed, "swept less or more than what was astray");
        }
    }

    function invariant_paymentsOfATokenRunOneAfterTheOther() external {
        vm.warp(handler.time());
        for (uint256 t = 0; t < 3; ++t) {
            (TokenBoost.Payment[] memory payments, uint256 settled) = boost.paymentsOf(handler.tokens(t));
            for (uint256 i = settled; i < payments.length; ++i) {
                vm.assertTrue(payments[i].end > payments[i].start, "a payment without time");
                if (i > settled) vm.assertEq(payments[i].start, payments[i - 1].end, "a gap");
            }
            if (settled == payments.length) continue;
            uint256 end = payments[payments.length - 1].end;
            vm.assertEq(boost.boostExpiration(handler.tokens(t)), end + boost.pausedTime(), "not the last one's end");
        }
    }

    function refunds(address paymentToken) private view returns (uint256 sum) {
        for (uint256 i = 0; i < 4; ++i) sum += boost.refundOf(handler.payers(i), paymentToken);
    }

    function unearned(address paymentToken) private view returns (uint256 sum) {
        for (uint256 t = 0; t < 3; ++t) {
            (TokenBoost.Payment[] memory payments, uint256 settled) = boost.paymentsOf(handler.tokens(t));
            for (uint256 i = settled; i < payments.length; ++i) {
                if (payments[i].paymentToken == paymentToken) sum += payments[i].amount;
            }
        }
    }
}
