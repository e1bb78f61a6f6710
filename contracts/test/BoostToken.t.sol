// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {TokenBoost} from "../TokenBoost.sol";
import {BoostTest} from "./BoostTest.t.sol";
import {FeeToken, GenerousToken, PlainToken} from "./Tokens.t.sol";
import {vm} from "./Vm.t.sol";

contract BoostTokenTest is BoostTest {
    function test_aPaymentBoostsForADay() external {
        test_aPaymentBoostsForADay(86_399);
    }

    function test_aPaymentBoostsForADay(uint256 later) public {
        later = between(later, 0, 86_399);
        vm.expectEmit(address(boost));
        emit TokenBoost.TokenBoosted(address(coin), ALICE, 1_800_086_400);
        vm.expectEmit(address(boost));
        emit TokenBoost.PaymentReceived(address(coin), ALICE, address(usdc), 25_000_000);
        pay(ALICE, coin);
        vm.assertEq(usdc.balanceOf(ALICE), 9_975_000_000);
        vm.assertEq(usdc.balanceOf(address(boost)), 25_000_000);
        vm.assertEq(boost.held(address(usdc)), 25_000_000);
        vm.assertEq(boost.earnedFees(address(usdc)), 0);

        vm.warp(START + later);
        vm.assertTrue(isBoosted(coin));
        vm.assertFalse(isBoosted(other));
        vm.assertEq(boost.remainingTime(address(coin)), 86_400 - later);
        vm.assertEq(boost.boostExpiration(address(coin)), 1_800_086_400);
    }

    function test_aBoostEndsAfterADay() external {
        test_aBoostEndsAfterADay(86_400);
    }

    function test_aBoostEndsAfterADay(uint256 later) public {
        later = between(later, 86_400, 1_000_000_000);
        pay(ALICE, coin);
        vm.warp(START + later);
        vm.assertFalse(isBoosted(coin));
        vm.assertEq(boost.remainingTime(address(coin)), 0);
        vm.assertEq(boost.boostExpiration(address(coin)), 1_800_086_400);
    }

    function test_anotherPaymentExtendsByADayFromTheEnd() external {
        test_anotherPaymentExtendsByADayFromTheEnd(86_399);
    }

    function test_anotherPaymentExtendsByADayFromTheEnd(uint256 later) public {
        later = between(later, 0, 86_400);
        pay(ALICE, coin);
        vm.warp(START + later);
        pay(BOB, coin);
        vm.assertEq(boost.boostExpiration(address(coin)), 1_800_172_800);
        vm.assertEq(boost.remainingTime(address(coin)), 172_800 - later);
    }

    function test_aPaymentAfterTheEndStartsAnew() external {
        test_aPaymentAfterTheEndStartsAnew(86_401);
    }

    function test_aPaymentAfterTheEndStartsAnew(uint256 later) public {
        later = between(later, 86_401, 1_000_000_000);
        pay(ALICE, coin);
        vm.warp(START + later);
        pay(BOB, coin);
        vm.assertEq(boost.boostExpiration(address(coin)), START + later + 86_400);
        vm.assertEq(boost.earnedFees(address(usdc)), 25_000_000);
    }

    function test_paymentsAreKeptInOrder() external {
        pay(ALICE, coin);
        pay(BOB, coin);
        vm.warp(START + 90_000);
        pay(ALICE, coin);
        (TokenBoost.Payment[] memory payments, uint256 settled) = boost.paymentsOf(address(coin));
        vm.assertEq(payments.length, 3);
        vm.assertEq(settled, 1);
        vm.assertEq(payments[1].payer, BOB);
        vm.assertEq(payments[1].start, 1_800_086_400);
        vm.assertEq(payments[1].end, 1_800_172_800);
        vm.assertEq(payments[1].paymentToken, address(usdc));
        vm.assertEq(payments[1].amount, 25_000_000);
        vm.assertEq(payments[2].payer, ALICE);
        vm.assertEq(payments[2].start, 1_800_172_800);
        vm.assertEq(boost.earnedFees(address(usdc)), 25_000_000);
        vm.assertEq(boost.held(address(usdc)), 75_000_000);
    }

    function test_boostsOfTokensAreApart() external {
        pay(ALICE, coin);
        vm.warp(START + 1_000);
        pay(ALICE, other);
        vm.assertEq(boost.boostExpiration(address(coin)), 1_800_086_400);
        vm.assertEq(boost.boostExpiration(address(other)), 1_800_087_400);
        vm.assertEq(boost.boostExpiration(address(usdc)), 0);
    }

    function test_theBatchSaysWhoIsBoosted() external {
        pay(ALICE, coin);
        vm.warp(START + 86_400);
        pay(ALICE, other);
        address[] memory tokens = new address[](3);
        (tokens[0], tokens[1], tokens[2]) = (address(coin), address(other), address(usdc));
        (bool[] memory boosted, uint256[] memory expirations) = boost.getBatchBoostStatus(tokens);
        vm.assertEq(boosted.length, 3);
        vm.assertEq(expirations.length, 3);
        vm.assertFalse(boosted[0]);
        vm.assertTrue(boosted[1]);
        vm.assertFalse(boosted[2]);
        vm.assertEq(expirations[0], 1_800_086_400);
        vm.assertEq(expirations[1], 1_800_172_800);
        vm.assertEq(expirations[2], 0);
    }

    function test_moreThanThePriceIsNobodysMoney() external {
        GenerousToken generous = new GenerousToken();
        take(address(generous));
        pay(ALICE, coin, address(generous));
        vm.assertEq(boost.held(address(generous)), 25_000_000);
        vm.assertEq(generous.balanceOf(address(boost)), 50_000_000);
    }

    function test_aHundredPaymentsMayBeAhead() external {
        for (uint256 i = 0; i < 100; ++i) pay(ALICE, coin);
        vm.assertEq(boost.boostExpiration(address(coin)), 1_808_640_000);
        vm.expectRevert(abi.encodeWithSelector(TokenBoost.TooManyPaymentsAhead.selector, address(coin)));
        pay(ALICE, coin);
        vm.warp(START + 86_400);
        pay(ALICE, coin);
        vm.assertEq(boost.boostExpiration(address(coin)), 1_808_726_400);
        vm.expectRevert(abi.encodeWithSelector(TokenBoost.TooManyPaymentsAhead.selector, address(coin)));
        pay(ALICE, coin);
    }

    function test_revertsWithoutAToken() external {
        vm.expectRevert(abi.encodeWithSelector(TokenBoost.InvalidTokenAddress.selector, address(0)));
        pay(ALICE, PlainToken(address(0)));
    }

    function test_revertsForAnAddressWithoutCode() external {
        vm.expectRevert(abi.encodeWithSelector(TokenBoost.InvalidTokenAddress.selector, BOB));
        pay(ALICE, PlainToken(BOB));
    }

    function test_revertsForAPaymentTokenThatIsNotAllowed() external {
        vm.expectRevert(abi.encodeWithSelector(TokenBoost.PaymentTokenNotAllowed.selector, address(other)));
        pay(ALICE, coin, address(other));
    }

    function test_revertsWhenLessThanThePriceArrives() external {
        FeeToken fee = new FeeToken();
        take(address(fee));
        vm.expectRevert(abi.encodeWithSelector(TokenBoost.InsufficientPayment.selector, 24_750_000, 25_000_000));
        pay(ALICE, coin, address(fee));
    }

    function test_revertsInAPause() external {
        pause();
        vm.expectRevert(abi.encodeWithSignature("EnforcedPause()"));
        pay(ALICE, coin);
    }

    function test_revertsWithTooLittleMoney() external {
        vm.prank(ALICE);
        usdc.transfer(BOB, 9_975_000_001);
        vm.expectRevert(abi.encodeWithSignature("Panic(uint256)", 0x11));
        pay(ALICE, coin);
    }

    function test_revertsWithTooLittleApproval() external {
        vm.prank(ALICE);
        usdc.approve(address(boost), 24_999_999);
        vm.expectRevert(abi.encodeWithSignature("Panic(uint256)", 0x11));
        pay(ALICE, coin);
    }
}
